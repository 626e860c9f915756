# Bees of every kind in swarms of one process, against servers that do as they are told.
hive_test(bees_system_test
    SOURCES bees_calls_test.cpp bees_modes_test.cpp bees_sinks_test.cpp bees_trigger_test.cpp
        swarm_scene.cpp web_server.cpp web_certificates.cpp call_server.cpp
    LINKS hive_cli hive_mock hive_call hive_api_http hive_tests_support LABELS system threads)

# The example of a bee in another language, in a swarm on a real broker.
set(node_bee "${CMAKE_BINARY_DIR}/node-bee")
foreach(file bee.js package.json package-lock.json)
    configure_file("${PROJECT_SOURCE_DIR}/examples/node-bee/${file}" "${node_bee}/${file}" COPYONLY)
endforeach()
add_test(NAME npm_node_bee_install COMMAND npm ci --no-audit --no-fund --prefix "${node_bee}")
set_tests_properties(npm_node_bee_install PROPERTIES
    FIXTURES_SETUP npm_node_bee TIMEOUT 300 LABELS system)
# The example in C++, built outside the tree against what is installed.
set(cpp_bee "${CMAKE_BINARY_DIR}/cpp-bee")
add_test(NAME cpp_bee_build COMMAND "${CMAKE_CURRENT_LIST_DIR}/bees_cpp_build.sh"
    "${CMAKE_COMMAND}" "${CMAKE_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/examples/cpp-bee" "${cpp_bee}"
    "${CMAKE_CXX_COMPILER}" "${HIVE_SANITIZE}")
set_tests_properties(cpp_bee_build PROPERTIES FIXTURES_SETUP cpp_bee TIMEOUT 300 LABELS system)
hive_schedule(npm_node_bee_install cpp_bee_build)

hive_test(bees_custom_test SOURCES bees_custom_test.cpp swarm_scene.cpp
    LINKS hive_cli hive_tests_support LABELS system)
set_tests_properties(bees_custom_test PROPERTIES FIXTURES_REQUIRED "npm_node_bee;cpp_bee")
add_dependencies(bees_custom_test hive hive_sdk_package)

# Edges with selectors, in one process and with processes on a real broker.
hive_test(bees_selectors_test SOURCES bees_selectors_test.cpp swarm_scene.cpp web_server.cpp
    LINKS hive_cli hive_api_http hive_tests_support LABELS system)
add_dependencies(bees_selectors_test hive)

# What only a real broker shows.
hive_test(bees_rabbit_test SOURCES bees_rabbit_test.cpp swarm_scene.cpp
    LINKS hive_cli hive_tests_support LABELS system)
add_dependencies(bees_rabbit_test hive)
