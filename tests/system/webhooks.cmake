# Webhooks against real receivers. `npm_dir` is where http.cmake has the packages installed.
hive_test(webhooks_system_test
    SOURCES webhooks_test.cpp webhooks_failures_test.cpp webhooks_ssrf_test.cpp webhooks_scene.cpp
        colony_scene.cpp server_scene.cpp web_server.cpp http_client.cpp http_ws_client.cpp
    LINKS hive_api_colony hive_web_curl hive_store_sqlite hive_tests_support
    HEADERS server LABELS system threads)
set_tests_properties(webhooks_system_test PROPERTIES FIXTURES_REQUIRED npm_system)
hive_test(webhooks_postgres_test
    SOURCES server_on_postgres.cpp $<TARGET_OBJECTS:webhooks_system_test>
        colony_scene.cpp server_scene.cpp web_server.cpp http_client.cpp http_ws_client.cpp
    LINKS hive_api_colony hive_web_curl hive_store_sqlite hive_store_postgres hive_tests_support
    LABELS system server)
set_tests_properties(webhooks_postgres_test PROPERTIES FIXTURES_REQUIRED npm_system)
