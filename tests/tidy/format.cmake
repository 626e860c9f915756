# Fails when a file is not as clang-format would write it, and says how to mend it.
file(GLOB_RECURSE files "${ROOT}/src/*.[ch]pp" "${ROOT}/tests/*.[ch]pp" "${ROOT}/bench/*.[ch]pp")
execute_process(COMMAND "${FORMATTER}" --dry-run -Werror ${files}
    RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${output}\nformat with: ${FORMATTER} -i FILE")
endif()
