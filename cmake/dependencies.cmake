# Every library comes from Debian; docs/adr says why each was chosen.
hive_check_compiler()

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(rabbitmq REQUIRED IMPORTED_TARGET librabbitmq)
pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(simdjson REQUIRED IMPORTED_TARGET simdjson)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
find_path(TL_EXPECTED_INCLUDE tl/expected.hpp REQUIRED)
find_path(DOCTEST_INCLUDE doctest/doctest.h REQUIRED)

# Cross-thread frees are the memory bus's bottleneck with glibc's allocator (docs/performance.md);
# sanitizers bring an allocator of their own.
add_library(hive_allocator INTERFACE)
if(NOT HIVE_SANITIZE AND NOT HIVE_FUZZ)
    find_library(JEMALLOC jemalloc REQUIRED)
    target_link_libraries(hive_allocator INTERFACE "${JEMALLOC}")
endif()
