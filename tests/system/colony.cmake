# The colony over HTTP on a real store.
file(GLOB colony_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/colony_*.cpp")
hive_test(colony_system_test
    SOURCES ${colony_sources} server_scene.cpp http_client.cpp http_ws_client.cpp
    LINKS hive_api_colony hive_bus_memory hive_colony_tasks_zoneinfo hive_store_sqlite hive_tests_support
    HEADERS server LABELS system threads)
hive_test(colony_postgres_test
    SOURCES server_on_postgres.cpp $<TARGET_OBJECTS:colony_system_test>
        colony_scene.cpp server_scene.cpp http_client.cpp http_ws_client.cpp
    LINKS hive_api_colony hive_bus_memory hive_colony_tasks_zoneinfo hive_store_sqlite
        hive_store_postgres hive_tests_support
    LABELS system server)
