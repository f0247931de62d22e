# Finds Strata's dependencies. third_party/README.md lists the versions known to work.

find_package(Isl 0.25 REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

# Halide is a Python wheel, which contains its own CMake package; Halide_DIR names any other copy.
set(STRATA_HAS_HALIDE OFF)
if(NOT STRATA_HALIDE STREQUAL "OFF")
  file(GLOB halide_in_venv
       "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/halide/lib*/cmake/Halide")
  find_package(Halide 21 CONFIG QUIET COMPONENTS Halide HINTS ${halide_in_venv})
  if(Halide_FOUND)
    set(STRATA_HAS_HALIDE ON)
    message(STATUS "Halide ${Halide_VERSION}: ${Halide_DIR}")
  elseif(STRATA_HALIDE STREQUAL "ON")
    message(FATAL_ERROR "Halide 21 was not found. Install it with "
      "`python3 -m venv .venv && .venv/bin/pip install -r requirements.txt`, "
      "or name it with -DHalide_DIR=<folder of HalideConfig.cmake>.")
  else()
    message(STATUS "Halide 21 was not found: code generation is left out")
  endif()
endif()
