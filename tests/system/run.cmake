# `hive run` as people type it, against a mock that counts for itself.
hive_test(run_system_test
    SOURCES cli_process.cpp http_client.cpp run_examples_test.cpp run_find_max_test.cpp
        run_interrupt_test.cpp run_scenario_test.cpp run_url_test.cpp
    LINKS hive_mock hive_telemetry hive_tests_support OpenSSL::SSL LABELS system APART OUTSIDE)
add_dependencies(run_system_test hive)

# What it measures, beside what the mock has measured: needs a machine that keeps time.
hive_test(run_percentiles_test
    SOURCES cli_process.cpp http_client.cpp run_percentiles_test.cpp
    LINKS hive_mock hive_telemetry hive_tests_support OpenSSL::SSL LABELS system TRIES 2)
add_dependencies(run_percentiles_test hive)

# The same in a real terminal.
hive_test(terminal_system_test
    SOURCES cli_process.cpp http_client.cpp terminal_run_test.cpp
    LINKS hive_mock hive_report hive_telemetry hive_tests_support OpenSSL::SSL LABELS system OUTSIDE)
add_dependencies(terminal_system_test hive)
