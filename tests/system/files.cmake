# Files of `.deia` and the colony in step: a real directory, a real server.
file(GLOB files_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/files_*.cpp")
list(FILTER files_sources EXCLUDE REGEX "files_crash_test\\.cpp$")
hive_test(files_system_test
    SOURCES ${files_sources} colony_scene.cpp server_scene.cpp http_client.cpp http_ws_client.cpp
    LINKS hive_api_colony hive_colony_files_posix hive_colony_files_git hive_store_sqlite
        hive_tests_support
    HEADERS server LABELS system threads)

# The real program, killed while both sides write.
hive_test(files_crash_test
    SOURCES files_crash_test.cpp files_directory.cpp crash_scene.cpp http_client.cpp
    LINKS hive_api_rest hive_store_sqlite hive_store_postgres hive_tests_support
    LABELS system OUTSIDE)
add_dependencies(files_crash_test hive)
