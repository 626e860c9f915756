# Calls against servers that behave well, badly or not at all.
file(GLOB call_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/call_*.cpp")
hive_test(call_system_test SOURCES ${call_sources} web_certificates.cpp
    LINKS hive_call hive_api_http hive_tests_support LABELS system threads)
