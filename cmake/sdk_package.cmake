# The package that bees outside this tree are built against: one archive, the headers, and what
# find_package(PocketHive) reads. `cmake --install build --component sdk --prefix DIR`.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# In the order of the map: `sdk` and everything below it.
set(folders kernel wire template pace telemetry loop bus bus/rabbitmq call csv redis control worker sdk)
set(archives "$<TARGET_FILE:hive_asio>" "${HTTP_PARSER}")
foreach(folder ${folders})
    string(REPLACE "/" "_" name "${folder}")
    get_target_property(type hive_${name} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
        list(APPEND archives "$<TARGET_FILE:hive_${name}>")
    endif()
    file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.hpp")
    install(FILES ${headers}
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/pockethive/${folder}" COMPONENT sdk EXCLUDE_FROM_ALL)
endforeach()

# One archive of all of them: a user links one thing, in no particular order.
set(archive "${CMAKE_BINARY_DIR}/lib/libpockethive_sdk.a")
file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/lib/sdk.mri" CONTENT
    "create ${archive}\naddlib $<JOIN:${archives},\naddlib >\nsave\nend\n")
add_custom_command(OUTPUT "${archive}"
    COMMAND "${CMAKE_COMMAND}" -E rm -f "${archive}"
    COMMAND "${CMAKE_AR}" -M < "${CMAKE_BINARY_DIR}/lib/sdk.mri"
    DEPENDS ${archives} "${CMAKE_BINARY_DIR}/lib/sdk.mri"
    COMMENT "Packing the SDK for bees")
add_custom_target(hive_sdk_package ALL DEPENDS "${archive}")

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/PocketHive")
configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/PocketHiveConfig.cmake.in" "${CMAKE_BINARY_DIR}/PocketHiveConfig.cmake"
    INSTALL_DESTINATION "${package}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(
    "${CMAKE_BINARY_DIR}/PocketHiveConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
    "${CMAKE_BINARY_DIR}/PocketHiveConfig.cmake" "${CMAKE_BINARY_DIR}/PocketHiveConfigVersion.cmake"
    DESTINATION "${package}" COMPONENT sdk EXCLUDE_FROM_ALL)
install(FILES "${archive}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT sdk EXCLUDE_FROM_ALL)
