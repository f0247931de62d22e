# Runs what docs/tutorial.md says to type, in a copy of examples/tutorial.  The home folder is
# ${scratch}, where ~/strata is the installation ${prefix}.

include("${CMAKE_CURRENT_LIST_DIR}/../script.cmake")

file(COPY "${source}/examples/tutorial" DESTINATION "${scratch}")
file(CREATE_LINK "${prefix}" "${scratch}/strata" SYMBOLIC)
set(ENV{HOME} "${scratch}")
run("${python}" -B "${CMAKE_CURRENT_LIST_DIR}/page_test.py" "${source}/docs/tutorial.md"
    "${scratch}/tutorial")
