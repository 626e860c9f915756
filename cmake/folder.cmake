# hive_folder(<path under src> LINKS <targets>): one folder of src, one library, one test binary.
#
# The library holds every .cpp of the folder (not of its subfolders, which are targets of their
# own); <name>_test holds its *_test.cpp. Headers are checked to compile on their own.
function(hive_folder path)
    cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
    string(REPLACE "/" "_" name "${path}")
    set(dir "${PROJECT_SOURCE_DIR}/src/${path}")
    file(GLOB sources CONFIGURE_DEPENDS "${dir}/*.cpp")
    file(GLOB headers CONFIGURE_DEPENDS "${dir}/*.hpp")
    set(tests ${sources})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$") # belongs to an executable

    if(sources)
        add_library(hive_${name} STATIC ${sources})
        set(scope PUBLIC)
    else()
        add_library(hive_${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_sources(hive_${name} ${scope}
        FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${headers})
    set_target_properties(hive_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    target_include_directories(hive_${name} SYSTEM ${scope} "${TL_EXPECTED_INCLUDE}")
    target_link_libraries(hive_${name} ${scope} hive_flags ${ARG_LINKS})

    if(tests AND BUILD_TESTING)
        hive_test(${name}_test SOURCES ${tests} LINKS hive_${name})
    endif()
endfunction()

# hive_test(<name> SOURCES <files> LINKS <targets> [LABELS <labels>]): one doctest binary, one ctest.
function(hive_test name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LABELS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES} "${PROJECT_SOURCE_DIR}/tests/doctest_main.cpp")
    target_include_directories(${name} SYSTEM PRIVATE "${DOCTEST_INCLUDE}")
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE hive_flags ${ARG_LINKS})
    target_compile_definitions(${name} PRIVATE "HIVE_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    add_test(NAME ${name} COMMAND ${name})
    if(NOT ARG_LABELS)
        set(ARG_LABELS unit)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600)
endfunction()

add_custom_target(fuzzers) # everything hive_fuzzer() made, in a build with HIVE_FUZZ

# hive_fuzzer(<name> SOURCES <files> LINKS <targets> CORPUS <dir>): a libFuzzer binary; in ordinary
# builds its seed corpus is replayed as a test, so a fixed crash stays fixed.
function(hive_fuzzer name)
    cmake_parse_arguments(ARG "" "CORPUS" "SOURCES;LINKS" ${ARGN})
    if(NOT HIVE_FUZZ)
        list(APPEND ARG_SOURCES "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cpp")
    endif()
    add_executable(${name} ${ARG_SOURCES})
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE hive_flags ${ARG_LINKS})
    if(HIVE_FUZZ)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzzers ${name})
    endif()
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    if(NOT HIVE_FUZZ)
        add_test(NAME ${name}_corpus COMMAND ${name} "${ARG_CORPUS}")
        set_tests_properties(${name}_corpus PROPERTIES LABELS unit TIMEOUT 120)
    endif()
endfunction()
