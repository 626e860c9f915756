# The client for other servers, against real sockets.
hive_test(web_curl_system_test SOURCES web_curl_test.cpp web_server.cpp web_certificates.cpp
    LINKS hive_web_curl hive_api_http hive_tests_support LABELS system threads)
