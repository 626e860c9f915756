# Scenarios as people use them with a server: the real program against a real `hive up`.
hive_test(scenarios_server_test
    SOURCES scenarios_cli_test.cpp scenarios_run_test.cpp swarm_rest_scene.cpp cli_process.cpp
        cli_hive.cpp http_client.cpp
    LINKS hive_mock hive_telemetry hive_web_curl hive_tests_support OpenSSL::SSL LABELS system OUTSIDE)
add_dependencies(scenarios_server_test hive)

# Public bundles that nobody here wrote, where they are at hand.
hive_test(scenarios_public_test SOURCES scenarios_public_test.cpp cli_process.cpp http_client.cpp
    LINKS hive_mock hive_telemetry hive_tests_support OpenSSL::SSL LABELS system OUTSIDE)
add_dependencies(scenarios_public_test hive)
