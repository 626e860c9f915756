# Every library comes from Debian; docs/adr says why each was chosen.
hive_check_compiler()

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(rabbitmq REQUIRED IMPORTED_TARGET librabbitmq)
pkg_check_modules(libcurl REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(hiredis REQUIRED IMPORTED_TARGET hiredis)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(simdjson REQUIRED IMPORTED_TARGET simdjson)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
find_path(TL_EXPECTED_INCLUDE tl/expected.hpp REQUIRED)

# Libraries of the tests alone. BUILD_TESTING is the wish; without them it cannot be granted.
if(BUILD_TESTING)
    find_path(DOCTEST_INCLUDE doctest/doctest.h)
    find_path(VALIJSON_INCLUDE valijson/validator.hpp)
    foreach(library DOCTEST VALIJSON)
        if(NOT ${library}_INCLUDE)
            string(TOLOWER "${library}" tool)
            hive_leave_out("all tests and benchmarks" "${tool}")
            set(BUILD_TESTING OFF)
        endif()
    endforeach()
endif()

# Comes without a pkg-config file; linked statically, so that only the build needs the package.
find_path(HTTP_PARSER_INCLUDE http_parser.h REQUIRED)
find_library(HTTP_PARSER libhttp_parser.a REQUIRED)
add_library(hive_http_parser INTERFACE)
target_include_directories(hive_http_parser SYSTEM INTERFACE "${HTTP_PARSER_INCLUDE}")
target_link_libraries(hive_http_parser INTERFACE "${HTTP_PARSER}")

# Asio and Beast are compiled once, here, and not in every file that uses them.
add_library(hive_asio STATIC "${CMAKE_CURRENT_LIST_DIR}/asio_sources.cpp")
target_compile_definitions(hive_asio PUBLIC
    BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(hive_asio PUBLIC Threads::Threads PRIVATE hive_flags)

# Cross-thread frees are the memory bus's bottleneck with glibc's allocator (docs/performance.md);
# sanitizers bring an allocator of their own.
add_library(hive_allocator INTERFACE)
if(NOT HIVE_SANITIZE AND NOT HIVE_FUZZ)
    find_library(JEMALLOC jemalloc REQUIRED)
    target_link_libraries(hive_allocator INTERFACE "${JEMALLOC}")
endif()
