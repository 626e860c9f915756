# Precompiled headers, by hand: a few for the whole project, where CMake's own would make one per target,
# and with a checksum beside each that says what is in it and not where it lies, so that objects of
# one clone are found in the cache by the next.

get_target_property(flags hive_flags INTERFACE_COMPILE_OPTIONS)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
separate_arguments(build_flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
set(definitions "")
foreach(library Boost::json Boost::container fmt::fmt hive_asio)
    if(TARGET ${library})
        get_target_property(of_library ${library} INTERFACE_COMPILE_DEFINITIONS)
        if(of_library)
            list(TRANSFORM of_library PREPEND -D)
            list(APPEND definitions ${of_library})
        endif()
    endif()
endforeach()

# Test cases run once and wait for what they test: optimising them takes longer than it saves.
set(HIVE_TEST_FLAGS -O0)

# hive_precompile(<name> <flags>...): <name>.pch and its checksum, made of cmake/<name>.hpp.
function(hive_precompile name)
    set(header "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${name}.hpp")
    file(GLOB headers "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/precompiled*.hpp")
    set(compile "${CMAKE_CXX_COMPILER}" ${build_flags} ${flags} ${definitions} ${ARGN}
        -std=c++20 -x c++-header "${header}")
    # Clang checks the sizes of what it read; times would differ in every clone. Templates are
    # instantiated here, or every file would do it again.
    add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/${name}.pch" "${CMAKE_BINARY_DIR}/${name}.pch.sum"
        COMMAND ${compile} -fpch-instantiate-templates -Xclang -fno-pch-timestamp
            -MD -MF ${name}.d -MT ${name}.pch -o ${name}.pch
        COMMAND ${compile} -E -P -o ${name}.i
        COMMAND "${CMAKE_COMMAND}" -E sha256sum ${name}.i > ${name}.pch.sum
        DEPENDS ${headers}
        DEPFILE "${CMAKE_BINARY_DIR}/${name}.d"
        WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
        COMMENT "Precompiling ${name}.hpp")
    add_custom_target(hive_${name} DEPENDS "${CMAKE_BINARY_DIR}/${name}.pch")
endfunction()

hive_precompile(precompiled)
hive_precompile(precompiled_asio)
hive_precompile(precompiled_swarm "-I${PROJECT_SOURCE_DIR}/src")
hive_precompile(precompiled_server "-I${PROJECT_SOURCE_DIR}/src")
# Made only for targets that need them: where ./hive was first there is no doctest.
hive_precompile(precompiled_test ${HIVE_TEST_FLAGS})
hive_precompile(precompiled_test_asio ${HIVE_TEST_FLAGS})
hive_precompile(precompiled_test_server ${HIVE_TEST_FLAGS} "-I${PROJECT_SOURCE_DIR}/src")

# hive_precompiled(<target> [TEST] [HEADERS <layer>]): that target reads headers that are compiled already.
# TEST: it consists of test cases, and gets their flags. HEADERS: with those of precompiled_<layer>.hpp,
# which are our own. A build that gathers no files does without these: there each file shows that it
# names all that it uses.
function(hive_precompiled target)
    cmake_parse_arguments(ARG "TEST" "HEADERS" "" ${ARGN})
    set(name precompiled)
    if(ARG_TEST)
        set(name precompiled_test)
        target_compile_options(${target} PRIVATE ${HIVE_TEST_FLAGS})
    endif()
    if(ARG_HEADERS AND HIVE_GATHER)
        string(APPEND name "_${ARG_HEADERS}")
        add_dependencies(${target} hive_${name})
    else()
        add_dependencies(${target} hive_${name} hive_${name}_asio)
        set(definitions "$<TARGET_PROPERTY:COMPILE_DEFINITIONS>")
        string(APPEND name "$<$<IN_LIST:BOOST_ASIO_SEPARATE_COMPILATION,${definitions}>:_asio>")
    endif()
    # Relative to the build directory, where every compiler runs.
    target_compile_options(${target} PRIVATE "SHELL:-include-pch ${name}.pch")
endfunction()
