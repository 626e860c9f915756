# What a machine without the packages of the tests cannot build is left out and named. Configuring fails only
# for want of what the program itself needs: whoever types `./hive` first has nothing else.

# hive_leave_out(<what> <tool> [TESTS <names>]): this build goes without <what>, because <tool> is missing.
# TESTS: rows of tests/schedule.txt that are missing for that reason.
function(hive_leave_out what tool)
    cmake_parse_arguments(ARG "" "" "TESTS" ${ARGN})
    message(STATUS "left out: ${what}, because ${tool} is not installed (./test installs it)")
    set_property(GLOBAL APPEND PROPERTY hive_left_out "${tool}")
    set_property(GLOBAL APPEND PROPERTY hive_known_tests ${ARG_TESTS})
endfunction()

# hive_report_left_out(): ./test reads the cache to see whether the tests it found configured are all of them.
function(hive_report_left_out)
    get_property(tools GLOBAL PROPERTY hive_left_out)
    set(HIVE_LEFT_OUT "${tools}" CACHE INTERNAL "tools that were missing when this build was configured")
endfunction()
