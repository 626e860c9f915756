# Commands that talk to a server or work on its files: the real program against a real `hive up`.
hive_test(cli_server_test
    SOURCES cli_process.cpp cli_hive.cpp cli_keys_test.cpp cli_audit_test.cpp cli_store_test.cpp
        cli_login_test.cpp cli_serve_test.cpp cli_tasks_test.cpp cli_approvals_test.cpp cli_costs_test.cpp
        cli_webhooks_test.cpp cli_sync_test.cpp cli_routes_test.cpp http_client.cpp web_server.cpp
    LINKS hive_web_curl hive_api_http hive_tests_support LABELS system OUTSIDE)
add_dependencies(cli_server_test hive)
