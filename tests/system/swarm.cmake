# Queen, marshals and bees as they live, on every runtime.
hive_test(swarm_embedded_test
    SOURCES swarm_embedded_test.cpp swarm_store_test.cpp swarm_scene.cpp swarm_lifecycle.cpp
    LINKS hive_cli hive_tests_support LABELS system threads)

# Buffer guards over real queues, in one process and on a broker.
hive_test(swarm_guard_test
    SOURCES swarm_guard_test.cpp guard_course.cpp swarm_scene.cpp http_client.cpp
    LINKS hive_cli hive_mock hive_tests_support LABELS system TRIES 3 SUITES)
add_dependencies(swarm_guard_test hive)

# Every bee at its work, in one process against a mock.
hive_test(bees_test
    SOURCES bees_test.cpp swarm_scene.cpp http_client.cpp
    LINKS hive_cli hive_mock hive_tests_support LABELS system threads)

hive_test(bees_delivery_test
    SOURCES bees_delivery_test.cpp swarm_scene.cpp
    LINKS hive_cli hive_tests_support LABELS system)
add_dependencies(bees_delivery_test hive)

hive_test(swarm_process_test
    SOURCES swarm_process_test.cpp swarm_scene.cpp swarm_lifecycle.cpp
    LINKS hive_cli hive_tests_support LABELS system)
add_dependencies(swarm_process_test hive)

# The whole program: its server is killed, its swarms are not.
hive_test(swarm_server_test
    SOURCES swarm_server_test.cpp cli_process.cpp cli_hive.cpp
    LINKS hive_web_curl hive_tests_support LABELS system OUTSIDE)
add_dependencies(swarm_server_test hive)

# The whole program over HTTP, with swarms in its own process.
hive_test(swarm_rest_test
    SOURCES swarm_rest_test.cpp swarm_rest_journal_test.cpp swarm_rest_taps_test.cpp
        swarm_rest_access_test.cpp swarm_rest_bees_test.cpp swarm_rest_metrics_test.cpp
        swarm_events_test.cpp
        swarm_rest_scene.cpp http_client.cpp http_ws_client.cpp web_server.cpp cli_process.cpp
        cli_hive.cpp
    LINKS hive_web_curl hive_api_http hive_api_ws hive_tests_support LABELS system OUTSIDE)
add_dependencies(swarm_rest_test hive)

hive_test(swarm_cli_test
    SOURCES swarm_cli_test.cpp swarm_rest_scene.cpp cli_process.cpp cli_hive.cpp
    LINKS hive_web_curl hive_tests_support LABELS system OUTSIDE)
add_dependencies(swarm_cli_test hive)
