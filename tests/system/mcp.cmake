# Agents. `npm_dir` is where http.cmake has the packages installed.
hive_test(mcp_system_test
    SOURCES mcp_test.cpp colony_scene.cpp server_scene.cpp http_client.cpp http_ws_client.cpp
    LINKS hive_api_colony hive_api_mcp hive_store_sqlite hive_tests_support
    HEADERS server LABELS system threads)
hive_test(mcp_node_test SOURCES mcp_node_test.cpp cli_hive.cpp cli_process.cpp web_server.cpp
    LINKS hive_web_curl hive_api_http hive_tests_support LABELS system OUTSIDE)
set_tests_properties(mcp_node_test PROPERTIES FIXTURES_REQUIRED npm_system)
add_dependencies(mcp_node_test hive)
