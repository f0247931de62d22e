# strata_add_library(<name> GENERATOR <target> [PARAMS <key=value>...] [DEPENDS <file>...])
#
# Runs the executable <target> at build time, as
#   <target> <output folder> <key=value>...
# It must write <name>.o and <name>.h, for a Function called <name>, into the output folder. They
# become the static library <name>: targets that link it get the header, the object and the runtime.
# The generator runs again when one of the DEPENDS files changes.
#
#   add_executable(blur_generator blur_generator.cpp)
#   target_link_libraries(blur_generator PRIVATE Strata::strata)
#   strata_add_library(blur GENERATOR blur_generator PARAMS tile=64)
#   target_link_libraries(app PRIVATE blur)
function(strata_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "GENERATOR" "PARAMS;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "strata_add_library(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET "${arg_GENERATOR}")
    message(FATAL_ERROR "strata_add_library(${name}): GENERATOR must name an executable target, "
      "'${arg_GENERATOR}' is not a target")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.strata")
  set(check "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/StrataGenerated.cmake")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${folder}/${name}.o" "${folder}/${name}.h"
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${folder}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
    COMMAND ${arg_GENERATOR} "${folder}" ${arg_PARAMS}
    COMMAND ${CMAKE_COMMAND} "-Dname=${name}" "-Dfolder=${folder}" "-Dgenerator=${arg_GENERATOR}"
            -P "${check}"
    DEPENDS ${arg_GENERATOR} ${arg_DEPENDS} "${check}"
    COMMENT "Generating ${name}.o and ${name}.h with ${arg_GENERATOR}"
    VERBATIM)

  add_library(${name} STATIC "${folder}/${name}.o" "${folder}/${name}.h")
  set_source_files_properties("${folder}/${name}.o" PROPERTIES
    EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${name} INTERFACE "${folder}")
  target_link_libraries(${name} INTERFACE Strata::runtime)
endfunction()
