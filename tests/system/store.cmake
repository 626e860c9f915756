# The store against full disks, lost servers and kill -9.
set(store_links hive_store_sqlite hive_store_postgres hive_tests_support)

hive_test(store_sqlite_faults
    SOURCES store_sqlite_faults_test.cpp LINKS ${store_links} LABELS system)
hive_test(store_postgres_faults
    SOURCES store_postgres_faults_test.cpp LINKS ${store_links} LABELS system server)

add_executable(store_crash_writer store_crash_writer.cpp)
target_include_directories(store_crash_writer PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(store_crash_writer PRIVATE hive_flags ${store_links})
set_target_properties(store_crash_writer PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
hive_test(store_crash
    SOURCES store_crash_test.cpp LINKS ${store_links} LABELS system server OUTSIDE)
add_dependencies(store_crash store_crash_writer)
