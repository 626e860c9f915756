# Signing in through identity providers. `npm_dir` is where http.cmake has the packages installed.
hive_test(oidc_github_test
    SOURCES oidc_github_test.cpp oidc_hive_test.cpp oidc_github_stand_in.cpp oidc_scene.cpp
        oidc_browser.cpp web_server.cpp
    LINKS hive_api_rest hive_store_sqlite hive_web_curl LABELS system threads)
hive_test(oidc_test
    SOURCES oidc_test.cpp oidc_refused_test.cpp oidc_scene.cpp oidc_browser.cpp oidc_provider.cpp
    LINKS hive_api_rest hive_web_curl LABELS system)
set_tests_properties(oidc_test PROPERTIES FIXTURES_REQUIRED npm_system)
