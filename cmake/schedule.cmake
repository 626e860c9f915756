# hive_schedule(<tests>): the seconds that tests/schedule.txt says of them, so that ctest starts the long
# ones first, also on a machine where it has never run.
set(schedule "${PROJECT_SOURCE_DIR}/tests/schedule.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${schedule}")
file(STRINGS "${schedule}" rows REGEX "^[a-z]")
foreach(row ${rows})
    if(NOT row MATCHES "^([a-z0-9_]+) +([0-9]+)$")
        message(FATAL_ERROR "tests/schedule.txt: a row is the name of a test and its seconds: ${row}")
    endif()
    set_property(GLOBAL PROPERTY "hive_seconds_${CMAKE_MATCH_1}" ${CMAKE_MATCH_2})
    set_property(GLOBAL APPEND PROPERTY hive_scheduled ${CMAKE_MATCH_1})
endforeach()

function(hive_schedule)
    foreach(name ${ARGN})
        get_property(seconds GLOBAL PROPERTY "hive_seconds_${name}")
        if(seconds)
            set_tests_properties(${name} PROPERTIES COST ${seconds})
        endif()
    endforeach()
    set_property(GLOBAL APPEND PROPERTY hive_known_tests ${ARGN})
endfunction()

# hive_check_schedule(): a row whose test is gone is an error, unless this machine lacks what the test needs
# (hive_leave_out). Sanitizers leave some tests out.
function(hive_check_schedule)
    get_property(scheduled GLOBAL PROPERTY hive_scheduled)
    get_property(known GLOBAL PROPERTY hive_known_tests)
    list(REMOVE_ITEM scheduled ${known})
    if(scheduled AND NOT HIVE_SANITIZE)
        message(FATAL_ERROR "tests/schedule.txt has rows of tests that do not exist: ${scheduled}")
    endif()
endfunction()
