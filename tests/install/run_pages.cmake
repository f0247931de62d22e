# Runs what README and docs/tutorial.md say to type, in folders with their programs.  The home folder
# is ${scratch}, where ~/strata is the installation ${prefix}.

include("${CMAKE_CURRENT_LIST_DIR}/../script.cmake")

file(COPY "${source}/examples/tutorial" DESTINATION "${scratch}")
file(COPY "${readme_programs}/smooth.cpp" DESTINATION "${scratch}/readme")
file(CREATE_LINK "${prefix}" "${scratch}/strata" SYMBOLIC)
set(ENV{HOME} "${scratch}")
foreach(page README.md docs/tutorial.md)
  string(TOLOWER "${page}" folder)
  get_filename_component(folder "${folder}" NAME_WE)
  run("${python}" -B "${CMAKE_CURRENT_LIST_DIR}/page_test.py" "${source}/${page}"
      "${scratch}/${folder}")
endforeach()
