# What `cmake --install` puts in place: the command with its manual page and completions, and for
# C++ programs the public headers, the static library and find_package(lookalike).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The shared libraries of Arrow are copied, so that the tree does not need the Python environment
# of the build. They find one another by their own run path, $ORIGIN.
set(LOOKALIKE_ARROW_DIR "${CMAKE_INSTALL_LIBDIR}/lookalike")
foreach(name IN ITEMS arrow parquet)
  get_target_property(library arrow_wheel::${name} IMPORTED_LOCATION)
  install(FILES "${library}" DESTINATION "${LOOKALIKE_ARROW_DIR}")
endforeach()
# Loaded when the first s3:// is met, from the folder of libarrow.
install(FILES "${ArrowWheel_S3_MODULE}" DESTINATION "${LOOKALIKE_ARROW_DIR}")
install(FILES ${ArrowWheel_LICENSES} DESTINATION "${CMAKE_INSTALL_DOCDIR}/arrow")
install(FILES LICENSE THIRD_PARTY_NOTICES DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# The build tree has the same layout, so that the command needs no run path of its own there. CMake
# ends a run path that it will change on installing with an empty entry, for which the loader
# searches the current folder.
get_target_property(arrow_library arrow_wheel::arrow IMPORTED_LOCATION)
get_filename_component(arrow_folder "${arrow_library}" DIRECTORY)
get_filename_component(arrow_link "${CMAKE_BINARY_DIR}/${LOOKALIKE_ARROW_DIR}" ABSOLUTE)
get_filename_component(arrow_link_parent "${arrow_link}" DIRECTORY)
file(MAKE_DIRECTORY "${arrow_link_parent}")
file(CREATE_LINK "${arrow_folder}" "${arrow_link}" SYMBOLIC)
set_target_properties(lookalike_command PROPERTIES
  INSTALL_RPATH "$ORIGIN/../${LOOKALIKE_ARROW_DIR}" BUILD_WITH_INSTALL_RPATH ON)
install(TARGETS lookalike_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

# The store of an index, which the command loads from there.
install(TARGETS lookalike_store LIBRARY DESTINATION "${LOOKALIKE_ARROW_DIR}")

# The command writes its own manual page and completions, from the options table.
set(shell_files "${CMAKE_BINARY_DIR}/shell")
file(MAKE_DIRECTORY "${shell_files}")
add_custom_command(TARGET lookalike_command POST_BUILD VERBATIM
  COMMAND lookalike_command options --man > "${shell_files}/lookalike.1"
  COMMAND lookalike_command options --bash > "${shell_files}/lookalike"
  COMMAND lookalike_command options --zsh > "${shell_files}/_lookalike"
  COMMAND lookalike_command options --fish > "${shell_files}/lookalike.fish"
  BYPRODUCTS "${shell_files}/lookalike.1" "${shell_files}/lookalike" "${shell_files}/_lookalike"
             "${shell_files}/lookalike.fish")
install(FILES "${shell_files}/lookalike.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${shell_files}/lookalike"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${shell_files}/_lookalike" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${shell_files}/lookalike.fish"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

install(DIRECTORY include/lookalike DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
install(TARGETS lookalike lookalike_core simdjson_private lexbor_private EXPORT lookalikeTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/lookalike")
install(EXPORT lookalikeTargets NAMESPACE lookalike:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/lookalikeConfig.cmake.in
  "${CMAKE_BINARY_DIR}/lookalikeConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS LOOKALIKE_ARROW_DIR)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/lookalikeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/lookalikeConfig.cmake"
  "${CMAKE_BINARY_DIR}/lookalikeConfigVersion.cmake" DESTINATION "${package_dir}")
