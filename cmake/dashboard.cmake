# hive_dashboard_library(<dir>): of the files that embed.mjs has written there.
function(hive_dashboard_library dir)
    add_library(hive_dashboard STATIC "${dir}/dashboard.S" "${dir}/dashboard.cpp")
    target_include_directories(hive_dashboard PRIVATE "${PROJECT_SOURCE_DIR}/src")
    # The bytes reach the assembler past the preprocessor, which is what CMake would follow.
    set_source_files_properties("${dir}/dashboard.S" PROPERTIES OBJECT_DEPENDS "${dir}/dashboard.cpp")
endfunction()

# hive_embed_dashboard(): the library hive_dashboard, `ui` built and compressed as cli/dashboard.hpp
# offers it. npm writes beside its lock file, so everything is copied into the build directory first:
# two build trees never write to the same place, and the sources stay clean. With sanitizers it is the
# dashboard of the optimised build, where there is one.
function(hive_embed_dashboard)
    set(optimised "${HIVE_OPTIMISED_BUILD}/dashboard/ui")
    if(HIVE_SANITIZE AND EXISTS "${optimised}/dashboard.cpp")
        hive_dashboard_library("${optimised}")
        return()
    endif()
    find_program(HIVE_NODE NAMES node nodejs REQUIRED)
    find_program(HIVE_NPM NAMES npm REQUIRED)
    set(from "${PROJECT_SOURCE_DIR}/ui")
    # As in the sources: ui imports ../docs/spec.
    set(dir "${CMAKE_BINARY_DIR}/dashboard/ui")
    set(spec "docs/spec/scenario.schema.json")

    set(locked package.json package-lock.json .npmrc)
    list(TRANSFORM locked PREPEND "${from}/" OUTPUT_VARIABLE locked_files)
    add_custom_command(OUTPUT "${dir}/node_modules/.installed"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${dir}"
        COMMAND "${CMAKE_COMMAND}" -E copy ${locked_files} "${dir}"
        COMMAND "${HIVE_NPM}" ci --silent --no-audit --no-fund
        COMMAND "${CMAKE_COMMAND}" -E touch "${dir}/node_modules/.installed"
        DEPENDS ${locked_files}
        WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/dashboard/ui"
        COMMENT "Installing what the dashboard is built with"
        VERBATIM)
    file(MAKE_DIRECTORY "${dir}")

    set(single index.html tsconfig.json vite.config.ts)
    list(TRANSFORM single PREPEND "${from}/" OUTPUT_VARIABLE single_files)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS
        "${from}/src/*" "${from}/public/*" "${from}/tools/*" "${from}/e2e/*")
    add_custom_command(OUTPUT "${dir}/dashboard.S" "${dir}/dashboard.cpp"
        COMMAND "${CMAKE_COMMAND}" -E rm -rf src public tools e2e dist
        COMMAND "${CMAKE_COMMAND}" -E copy_directory "${from}/src" src
        COMMAND "${CMAKE_COMMAND}" -E copy_directory "${from}/public" public
        COMMAND "${CMAKE_COMMAND}" -E copy_directory "${from}/tools" tools
        COMMAND "${CMAKE_COMMAND}" -E copy_directory "${from}/e2e" e2e
        COMMAND "${CMAKE_COMMAND}" -E copy ${single_files} .
        COMMAND "${CMAKE_COMMAND}" -E make_directory "../docs/spec"
        COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_SOURCE_DIR}/${spec}" "../${spec}"
        COMMAND "${HIVE_NODE}" node_modules/vite/bin/vite.js build --logLevel warn
        COMMAND "${HIVE_NODE}" tools/embed.mjs dist dashboard
        DEPENDS "${dir}/node_modules/.installed" ${sources} ${single_files}
            "${PROJECT_SOURCE_DIR}/${spec}"
        WORKING_DIRECTORY "${dir}"
        COMMENT "Building the dashboard"
        VERBATIM)

    hive_dashboard_library("${dir}")
endfunction()
