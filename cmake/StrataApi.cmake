# The target strata_api, where Doxygen is installed: the reference of the public headers.
find_package(Doxygen QUIET)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(DOXYGEN_FOUND AND Python3_FOUND)
  configure_file(docs/Doxyfile Doxyfile @ONLY)
  add_custom_target(strata_api VERBATIM
    COMMAND "${DOXYGEN_EXECUTABLE}" "${CMAKE_CURRENT_BINARY_DIR}/Doxyfile"
    COMMENT "Writing ${CMAKE_CURRENT_BINARY_DIR}/api/html/index.html")
endif()
