# The mock on real sockets, and `hive mock` as a person starts it.
hive_test(mock_system_test
    SOURCES mock_test.cpp mock_faults_test.cpp mock_cli_test.cpp http_client.cpp cli_process.cpp
    LINKS hive_mock hive_tests_support OpenSSL::SSL fmt::fmt LABELS system threads)
add_dependencies(mock_system_test hive)
