add_custom_target(headers) # what `tidy_headers` builds: those without a .cpp of their own
add_custom_target(all_headers) # what .ci/run builds

# hive_headers_alone(<target> <headers>): each header as the only content of a file, outside `all`. One
# with a .cpp of its own stands first there (tidy sees to it), so most of what it could lack shows in any
# build; that others of the same batch do not help out is left to .ci/run.
function(hive_headers_alone target)
    if(NOT BUILD_TESTING)
        return()
    endif()
    set(lone "")
    set(owned "")
    foreach(header ${ARGN})
        file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${header}")
        set(source "${CMAKE_BINARY_DIR}/headers/${path}.cpp")
        file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${path}\"\n")
        string(REGEX REPLACE "\\.hpp$" ".cpp" own "${header}")
        if(EXISTS "${own}")
            list(APPEND owned "${source}")
        else()
            list(APPEND lone "${source}")
        endif()
    endforeach()
    foreach(group lone owned)
        if(NOT ${group})
            continue()
        endif()
        set(objects ${target}_${group}_headers)
        add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${${group}})
        target_link_libraries(${objects} PRIVATE hive_flags ${target})
        target_include_directories(${objects} PRIVATE "${PROJECT_SOURCE_DIR}")
        hive_precompiled(${objects} TEST) # whether they compile is all that is asked
        add_dependencies(all_headers ${objects})
        if(group STREQUAL "lone")
            add_dependencies(headers ${objects})
        endif()
    endforeach()
endfunction()

# hive_folder(<path under src> [THREADS] [FUZZED] [COLD] [HEADERS <layer>] [ALONE <files>] LINKS <targets>):
# one folder of src, one library, one test binary. THREADS: its tests run several threads, so they are part
# of the ThreadSanitizer build. FUZZED: a fuzzer sees which ways its input takes here. COLD: it works for each
# command or request, not for each item. COLD, HEADERS: see hive_precompiled. ALONE: see hive_gather.
#
# The library holds every .cpp of the folder (not of its subfolders, which are targets of their
# own); <name>_test holds its *_test.cpp. Headers are checked to compile on their own.
function(hive_folder path)
    cmake_parse_arguments(ARG "THREADS;FUZZED;COLD" "HEADERS" "LINKS;ALONE" ${ARGN})
    string(REPLACE "/" "_" name "${path}")
    set(dir "${PROJECT_SOURCE_DIR}/src/${path}")
    file(GLOB sources CONFIGURE_DEPENDS "${dir}/*.cpp")
    file(GLOB headers CONFIGURE_DEPENDS "${dir}/*.hpp")
    set(tests ${sources})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$") # belongs to an executable

    if(sources)
        hive_gather(compiled hive_${name} SOURCES ${sources} ALONE ${ARG_ALONE})
        add_library(hive_${name} STATIC ${compiled})
        target_include_directories(hive_${name} PRIVATE "${PROJECT_SOURCE_DIR}") # for what is gathered
        set(scope PUBLIC)
    else()
        add_library(hive_${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(hive_${name} ${scope} "${PROJECT_SOURCE_DIR}/src")
    hive_headers_alone(hive_${name} ${headers})
    target_include_directories(hive_${name} SYSTEM ${scope} "${TL_EXPECTED_INCLUDE}")
    target_link_libraries(hive_${name} ${scope} hive_flags ${ARG_LINKS})
    if(sources)
        set(cold "")
        if(ARG_COLD)
            set(cold COLD)
        endif()
        hive_precompiled(hive_${name} ${cold} HEADERS ${ARG_HEADERS})
        if(HIVE_FUZZ AND ARG_FUZZED)
            target_compile_options(hive_${name} PRIVATE ${HIVE_FUZZ_COVERAGE})
        endif()
    endif()

    if(tests AND BUILD_TESTING)
        set(labels unit)
        if(ARG_THREADS)
            list(APPEND labels threads)
        endif()
        hive_test(${name}_test SOURCES ${tests} LINKS hive_${name} LABELS ${labels})
    endif()
endfunction()

add_custom_target(threaded_tests) # every test labelled `threads`: what `./test --preset tsan` builds
add_custom_target(threaded_unit_tests) # and with --quick
add_custom_target(outside_tests) # what a build with sanitizers takes from the optimised one

# doctest's own code takes seconds to compile: once, for all test binaries.
function(hive_doctest_main)
    if(NOT TARGET hive_doctest_main)
        add_library(hive_doctest_main OBJECT "${PROJECT_SOURCE_DIR}/tests/doctest_main.cpp")
        target_include_directories(hive_doctest_main SYSTEM PRIVATE "${DOCTEST_INCLUDE}")
        target_compile_options(hive_doctest_main PRIVATE -O0)
        target_link_libraries(hive_doctest_main PRIVATE hive_flags)
    endif()
endfunction()

# hive_test_flags(<target> HEADERS <layer> LINKS <targets>): what files with test cases are compiled with.
function(hive_test_flags target)
    cmake_parse_arguments(ARG "" "HEADERS" "LINKS" ${ARGN})
    target_include_directories(${target} SYSTEM PRIVATE "${DOCTEST_INCLUDE}")
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE hive_flags hive_tests_places ${ARG_LINKS})
    hive_precompiled(${target} TEST HEADERS ${ARG_HEADERS})
endfunction()

# hive_suite(<name> SOURCES <files> LINKS <targets> [HEADERS <layer>]): test cases that are compiled once
# and linked into several binaries, as $<TARGET_OBJECTS:name>.
function(hive_suite name)
    cmake_parse_arguments(ARG "" "HEADERS" "SOURCES;LINKS" ${ARGN})
    hive_gather(compiled ${name} SOURCES ${ARG_SOURCES})
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${compiled})
    hive_test_flags(${name} HEADERS ${ARG_HEADERS} LINKS ${ARG_LINKS})
endfunction()

# hive_test_program(<name> SOURCES <files> LINKS <targets> [HEADERS <layer>]): the binary of hive_test.
function(hive_test_program name)
    cmake_parse_arguments(ARG "" "HEADERS" "SOURCES;LINKS" ${ARGN})
    hive_doctest_main()
    set(objects $<TARGET_OBJECTS:hive_doctest_main>)
    foreach(source ${ARG_SOURCES})
        get_filename_component(scene "${source}" NAME_WE)
        if(TARGET scene_${scene})
            list(REMOVE_ITEM ARG_SOURCES "${source}")
            list(APPEND objects $<TARGET_OBJECTS:scene_${scene}>)
            list(APPEND ARG_LINKS hive_asio) # whose headers all of them are compiled with
        endif()
    endforeach()
    hive_gather(compiled ${name} SOURCES ${ARG_SOURCES})
    add_executable(${name} ${compiled} ${objects})
    hive_test_flags(${name} HEADERS ${ARG_HEADERS} LINKS ${ARG_LINKS})
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
endfunction()

# hive_test(<name> SOURCES <files> LINKS <targets> [LABELS <labels>] [HEADERS <layer>] [OUTSIDE] [APART]
#     [TRIES <n> [SUITES]]): one doctest binary, one ctest.
# HEADERS: see hive_precompiled.
# OUTSIDE: it has none of what it tests in itself, but starts programs. A build with sanitizers takes the binary
# of the optimised one and shows it other programs.
# APART: one ctest for each of its *_test.cpp, by that name, so that a long chain can run side by side.
# TRIES: it keeps time with the world, so it runs alone, up to n times (label `timing`), and not with sanitizers.
# SUITES: of those that mostly wait, the suites run at once.
function(hive_test name)
    cmake_parse_arguments(ARG "OUTSIDE;APART;SUITES" "TRIES;HEADERS" "SOURCES;LINKS;LABELS" ${ARGN})
    if(HIVE_SANITIZE AND ARG_TRIES)
        add_custom_target(${name})
        return()
    endif()
    if(HIVE_SANITIZE AND ARG_OUTSIDE)
        add_custom_target(${name})
        set(program "${HIVE_OPTIMISED_BUILD}/tests/${name}")
    else()
        hive_test_program(${name} SOURCES ${ARG_SOURCES} LINKS ${ARG_LINKS} HEADERS ${ARG_HEADERS})
        set(program ${name})
    endif()
    if(ARG_OUTSIDE)
        add_dependencies(outside_tests ${name})
    endif()
    if(NOT ARG_LABELS)
        set(ARG_LABELS unit)
    endif()
    set(entries ${name})
    if(ARG_TRIES)
        list(APPEND ARG_LABELS timing)
        set(runner "tries.sh")
        if(ARG_SUITES)
            set(runner "suites.sh")
        endif()
        add_test(NAME ${name}
            COMMAND "${PROJECT_SOURCE_DIR}/tests/support/${runner}" ${ARG_TRIES} $<TARGET_FILE:${name}>)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    elseif(ARG_APART)
        set(entries ${ARG_SOURCES})
        list(FILTER entries INCLUDE REGEX "_test\\.cpp$")
        list(TRANSFORM entries REPLACE "\\.cpp$" "")
        foreach(entry ${entries})
            add_test(NAME ${entry} COMMAND ${program} "--source-file=*/${entry}.cpp")
        endforeach()
    else()
        add_test(NAME ${name} COMMAND ${program})
    endif()
    if(threads IN_LIST ARG_LABELS)
        add_dependencies(threaded_tests ${name})
        if(unit IN_LIST ARG_LABELS)
            add_dependencies(threaded_unit_tests ${name})
        endif()
    endif()
    # A test case that hangs says so itself (tests/doctest_main.cpp) before ctest kills it.
    set_tests_properties(${entries} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600
        ENVIRONMENT "HIVE_CASE_SECONDS=300;HIVE_BUILD_DIR=${CMAKE_BINARY_DIR}")
    hive_schedule(${entries})
endfunction()

function(hive_replay_main)
    if(NOT TARGET hive_replay_main)
        add_library(hive_replay_main OBJECT "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cpp")
        target_link_libraries(hive_replay_main PRIVATE hive_flags)
    endif()
endfunction()

add_custom_target(fuzzers) # everything hive_fuzzer() made, in a build with HIVE_FUZZ

# hive_fuzzer(<name> SOURCES <files> LINKS <targets> CORPUS <dir>): a libFuzzer binary where HIVE_FUZZ
# is on, else one that replays files. Its seed corpus is a test, so a fixed crash stays fixed.
function(hive_fuzzer name)
    cmake_parse_arguments(ARG "" "CORPUS" "SOURCES;LINKS" ${ARGN})
    if(NOT HIVE_FUZZ)
        hive_replay_main()
        list(APPEND ARG_SOURCES $<TARGET_OBJECTS:hive_replay_main>)
    endif()
    add_executable(${name} ${ARG_SOURCES})
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE hive_flags ${ARG_LINKS})
    hive_precompiled(${name})
    if(HIVE_FUZZ)
        foreach(link ${ARG_LINKS})
            get_target_property(options ${link} COMPILE_OPTIONS)
            if(NOT HIVE_FUZZ_COVERAGE IN_LIST options)
                message(FATAL_ERROR "${name} cannot see into ${link}: its folder wants FUZZED in src/CMakeLists.txt")
            endif()
        endforeach()
        target_compile_options(${name} PRIVATE ${HIVE_FUZZ_COVERAGE})
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzzers ${name})
    endif()
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    set(runs "")
    if(HIVE_FUZZ)
        set(runs -runs=0 -verbosity=0)
    endif()
    add_test(NAME ${name}_corpus COMMAND ${name} ${runs} "${ARG_CORPUS}")
    set_tests_properties(${name}_corpus PROPERTIES LABELS unit TIMEOUT 120)
endfunction()
