# Precompiled headers, by hand: two for the whole project, where CMake's own would make one per target,
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

foreach(name precompiled precompiled_asio)
    set(header "${CMAKE_CURRENT_LIST_DIR}/${name}.hpp")
    set(compile "${CMAKE_CXX_COMPILER}" ${build_flags} ${flags} ${definitions}
        -std=c++20 -x c++-header "${header}")
    # Clang checks the sizes of what it read; times would differ in every clone. Templates are
    # instantiated here, or every file would do it again.
    add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/${name}.pch" "${CMAKE_BINARY_DIR}/${name}.pch.sum"
        COMMAND ${compile} -fpch-instantiate-templates -Xclang -fno-pch-timestamp
            -MD -MF ${name}.d -MT ${name}.pch -o ${name}.pch
        COMMAND ${compile} -E -P -o ${name}.i
        COMMAND "${CMAKE_COMMAND}" -E sha256sum ${name}.i > ${name}.pch.sum
        DEPENDS "${header}" "${CMAKE_CURRENT_LIST_DIR}/precompiled.hpp"
        DEPFILE "${CMAKE_BINARY_DIR}/${name}.d"
        WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
        COMMENT "Precompiling ${name}.hpp")
    list(APPEND precompiled "${CMAKE_BINARY_DIR}/${name}.pch")
endforeach()
add_custom_target(hive_precompiled DEPENDS ${precompiled})

# hive_precompiled(<target>): that target reads the headers that are compiled already.
function(hive_precompiled target)
    set(definitions "$<TARGET_PROPERTY:COMPILE_DEFINITIONS>")
    set(with_asio "$<IN_LIST:BOOST_ASIO_SEPARATE_COMPILATION,${definitions}>")
    # Relative to the build directory, where every compiler runs.
    target_compile_options(${target} PRIVATE
        "SHELL:-include-pch $<IF:${with_asio},precompiled_asio,precompiled>.pch")
    add_dependencies(${target} hive_precompiled)
endfunction()
