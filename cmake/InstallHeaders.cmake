# Copies the headers from ${source} to ${target}. In the source they include each other relative to
# the project's root, as "core/expr/expr.h", which could find a user's own header of that name.  So
# the installed internal headers are in strata/internal/ and include each other by that path.

set(internal core layers schedule codegen automatic driver dsl graph)
list(JOIN internal "|" any_internal)

foreach(folder include/strata ${internal})
  file(GLOB_RECURSE headers RELATIVE "${source}" "${source}/${folder}/*.h")
  list(FILTER headers EXCLUDE REGEX "^codegen/halide/")
  foreach(header IN LISTS headers)
    file(READ "${source}/${header}" text)
    string(REGEX REPLACE "#include \"((${any_internal})/[^\"]+)\""
           "#include \"strata/internal/\\1\"" text "${text}")
    if(header MATCHES "^include/")
      string(REGEX REPLACE "^include/" "" installed "${header}")
    else()
      set(installed "strata/internal/${header}")
    endif()
    file(WRITE "${target}/${installed}" "${text}")
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${target}/${installed}")
  endforeach()
endforeach()
