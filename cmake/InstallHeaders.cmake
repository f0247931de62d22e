cmake_minimum_required(VERSION 3.28)
# Copies the public headers from ${source} to ${target}, and what they include.  In the source they
# include each other relative to the project's root, as "core/expr/expr.h", which could find a
# user's own header of that name.  So those from other folders than include/ are installed in
# strata/internal/, and are included by that path.

file(GLOB_RECURSE waiting RELATIVE "${source}" "${source}/include/strata/*.h")
set(known ${waiting})
while(waiting)
  list(POP_FRONT waiting header)
  file(READ "${source}/${header}" text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" included "${line}")
    if(EXISTS "${source}/include/${included}")
      continue()  # a public header
    endif()
    string(REPLACE "${line}" "#include \"strata/internal/${included}\"" text "${text}")
    if(NOT included IN_LIST known)
      list(APPEND known "${included}")
      list(APPEND waiting "${included}")
    endif()
  endforeach()
  if(header MATCHES "^include/")
    string(REGEX REPLACE "^include/" "" installed "${header}")
  else()
    set(installed "strata/internal/${header}")
  endif()
  file(WRITE "${target}/${installed}" "${text}")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${target}/${installed}")
endwhile()
