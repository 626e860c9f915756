# hive_embed_spec(<target>): the documents of docs/spec as api/rest/spec_documents.hpp offers them.
function(hive_embed_spec target)
    set(dir "${PROJECT_SOURCE_DIR}/docs/spec")
    file(GLOB documents CONFIGURE_DEPENDS "${dir}/*.json" "${dir}/*.yaml")
    set(out "${CMAKE_BINARY_DIR}/spec_documents.cpp")
    add_custom_command(
        OUTPUT "${out}"
        COMMAND "${CMAKE_COMMAND}" "-DOUT=${out}" "-DDIR=${dir}"
            -P "${PROJECT_SOURCE_DIR}/cmake/write_spec_documents.cmake"
        DEPENDS ${documents} "${PROJECT_SOURCE_DIR}/cmake/write_spec_documents.cmake"
        COMMENT "Embedding docs/spec"
        VERBATIM)
    target_sources(${target} PRIVATE "${out}")
endfunction()
