# A whole hive over HTTP on a real store.
file(GLOB server_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/server_*.cpp")
list(FILTER server_sources EXCLUDE REGEX "server_on_postgres\\.cpp$")
hive_test(server_system_test
    SOURCES ${server_sources} http_client.cpp http_ws_client.cpp
    LINKS hive_api_rest hive_api_colony hive_bus_memory hive_store_sqlite hive_tests_support
    HEADERS server LABELS system threads)
add_dependencies(server_system_test hive)

hive_test(server_crash
    SOURCES crash_server_test.cpp crash_colony_test.cpp crash_approvals_test.cpp
        crash_webhooks_test.cpp crash_bee.cpp crash_scene.cpp http_client.cpp web_server.cpp
    LINKS hive_api_rest hive_store_sqlite hive_store_postgres hive_tests_support
    LABELS system server OUTSIDE)
add_dependencies(server_crash hive)

# A real browser, driven from npm.
hive_test(browser_events_test
    SOURCES browser_events_test.cpp server_scene.cpp http_client.cpp http_ws_client.cpp
    LINKS hive_api_rest hive_store_sqlite hive_tests_support LABELS system browser)
set_tests_properties(browser_events_test PROPERTIES FIXTURES_REQUIRED npm_system)

hive_test(browser_report_test
    SOURCES browser_report_test.cpp LINKS hive_report LABELS system browser)
set_tests_properties(browser_report_test PROPERTIES FIXTURES_REQUIRED npm_system)
