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

# hive_precompile(<name> <header> [ON <base>] [FLAGS <flags>]): <name>.pch and its checksum, made of
# cmake/<header>.hpp. ON: it goes on from where <base>.pch ends, which has to have the same flags.
function(hive_precompile name header)
    cmake_parse_arguments(ARG "" "ON" "FLAGS" ${ARGN})
    set(header "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${header}.hpp")
    file(GLOB headers "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/precompiled*.hpp")
    set(compile "${CMAKE_CXX_COMPILER}" ${build_flags} ${flags} ${definitions} ${ARG_FLAGS}
        -std=c++20 -x c++-header "${header}")
    set(base "")
    if(ARG_ON)
        set(base -include-pch ${ARG_ON}.pch)
    endif()
    # Clang checks the sizes of what it read; times would differ in every clone. Templates are
    # instantiated here, or every file would do it again.
    add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/${name}.pch" "${CMAKE_BINARY_DIR}/${name}.pch.sum"
        COMMAND ${compile} ${base} -fpch-instantiate-templates -Xclang -fno-pch-timestamp
            -MD -MF ${name}.d -MT ${name}.pch -o ${name}.pch
        COMMAND ${compile} -E -P -o ${name}.i
        COMMAND "${CMAKE_COMMAND}" -E sha256sum ${name}.i > ${name}.pch.sum
        DEPENDS ${headers} "$<$<BOOL:${ARG_ON}>:${CMAKE_BINARY_DIR}/${ARG_ON}.pch>"
        DEPFILE "${CMAKE_BINARY_DIR}/${name}.d"
        WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
        COMMENT "Precompiling ${name}.hpp")
    add_custom_target(hive_${name} DEPENDS "${CMAKE_BINARY_DIR}/${name}.pch")
endfunction()

# Each is made only if a target needs it.
set(ours "-I${PROJECT_SOURCE_DIR}/src")
hive_precompile(precompiled precompiled)
hive_precompile(precompiled_asio precompiled_asio ON precompiled)
hive_precompile(precompiled_swarm precompiled_swarm ON precompiled_asio FLAGS ${ours})
hive_precompile(precompiled_server precompiled_server ON precompiled_asio FLAGS ${ours})
hive_precompile(precompiled_cold precompiled FLAGS -O0)
hive_precompile(precompiled_cold_asio precompiled_asio ON precompiled_cold FLAGS -O0)
hive_precompile(precompiled_cold_server precompiled_server ON precompiled_cold_asio FLAGS -O0 ${ours})
hive_precompile(precompiled_test precompiled_test ON precompiled_cold FLAGS -O0)
hive_precompile(precompiled_test_asio precompiled_test_asio ON precompiled_cold_asio FLAGS -O0)
hive_precompile(precompiled_test_server precompiled_test_server ON precompiled_cold_server FLAGS -O0 ${ours})

# hive_precompiled(<target> [TEST] [COLD] [HEADERS <layer>]): that target reads headers that are compiled
# already. TEST: it consists of test cases, which run once and wait for what they test: optimising them takes
# longer than it saves. COLD: with sanitizers that holds for it too. HEADERS: with those of
# precompiled_<layer>.hpp, which are our own. A build that gathers no files does without these: there each
# file shows that it names all that it uses.
function(hive_precompiled target)
    cmake_parse_arguments(ARG "TEST;COLD" "HEADERS" "" ${ARGN})
    set(name precompiled)
    if(ARG_TEST)
        set(name precompiled_test)
    elseif(ARG_COLD AND HIVE_SANITIZE)
        set(name precompiled_cold)
    endif()
    if(NOT name STREQUAL "precompiled")
        target_compile_options(${target} PRIVATE -O0)
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
