# The dashboard: its own tests, its types, and a browser against the real program. They run where
# hive_embed_dashboard() has put the sources and packages; what ran once is not repeated with sanitizers.
set(dashboard_dir "${CMAKE_BINARY_DIR}/dashboard/ui")
if(NOT HIVE_SANITIZE)
    add_test(NAME dashboard_unit_test COMMAND "${HIVE_NODE}" node_modules/vitest/vitest.mjs run
        WORKING_DIRECTORY "${dashboard_dir}")
    add_test(NAME dashboard_types_test COMMAND "${HIVE_NODE}" node_modules/typescript/bin/tsc --noEmit
        WORKING_DIRECTORY "${dashboard_dir}")
    set_tests_properties(dashboard_unit_test dashboard_types_test PROPERTIES LABELS unit TIMEOUT 300)
    hive_schedule(dashboard_unit_test dashboard_types_test)

    # Each has a hive and a browser of its own. A browser wants a core, so they go one after the other.
    foreach(name first runs colony files processes)
        add_test(NAME dashboard_${name}_test
            COMMAND "${PROJECT_SOURCE_DIR}/tests/support/tries.sh" 2
                "${HIVE_NODE}" --test --test-reporter=tap e2e/${name}.test.mjs
            WORKING_DIRECTORY "${dashboard_dir}")
        set_tests_properties(dashboard_${name}_test PROPERTIES LABELS browser TIMEOUT 900
            RESOURCE_LOCK browser
            ENVIRONMENT "HIVE_PROGRAM=$<TARGET_FILE:hive>;HIVE_SCENARIOS=${PROJECT_SOURCE_DIR}/scenarios")
        hive_schedule(dashboard_${name}_test)
    endforeach()
endif()
