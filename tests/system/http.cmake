# The HTTP server on real sockets, and the clients of npm that people use against it.
file(GLOB http_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/http_*.cpp")
list(FILTER http_sources EXCLUDE REGEX "/http_node_test\\.cpp$")
hive_test(http_system_test SOURCES ${http_sources}
    LINKS hive_api hive_tests_support LABELS system threads)

# npm writes into the directory of the lock file, so that lies in the build directory.
set(npm_dir "${CMAKE_BINARY_DIR}/npm-system")
configure_file(package.json "${npm_dir}/package.json" COPYONLY)
configure_file(package-lock.json "${npm_dir}/package-lock.json" COPYONLY)
add_test(NAME npm_system_install COMMAND npm ci --no-audit --no-fund --prefix "${npm_dir}")
set_tests_properties(npm_system_install PROPERTIES
    FIXTURES_SETUP npm_system TIMEOUT 300 LABELS system)
hive_schedule(npm_system_install)

hive_test(http_node_test SOURCES http_node_test.cpp http_api.cpp http_client.cpp
    LINKS hive_api LABELS system)
set_tests_properties(http_node_test PROPERTIES FIXTURES_REQUIRED npm_system)
