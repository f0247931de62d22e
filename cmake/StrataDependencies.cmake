# Finds Strata's dependencies. third_party/README.md lists the versions known to work.

find_package(Isl 0.25 REQUIRED)
find_package(fmt QUIET)
if(NOT fmt_FOUND)
  message(FATAL_ERROR "fmt was not found. Install it: libfmt-dev of Debian.")
endif()
find_package(Threads REQUIRED)

# Halide is a Python wheel, which contains its own CMake package; Halide_DIR names any other copy.
set(STRATA_HAS_HALIDE OFF)
if(NOT STRATA_HALIDE STREQUAL "OFF")
  file(GLOB halide_in_venv
       "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/halide/lib*/cmake/Halide")
  if(SKBUILD)  # pip gives the build a Python with the wheel
    find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
    execute_process(COMMAND "${Python_EXECUTABLE}" -c
      "import importlib.util as u; print(*u.find_spec('halide').submodule_search_locations)"
      OUTPUT_VARIABLE halide_folder OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(GLOB halide_in_venv "${halide_folder}/lib*/cmake/Halide")
  endif()
  find_package(Halide 21 CONFIG QUIET COMPONENTS Halide HINTS ${halide_in_venv})
  if(Halide_FOUND)
    set(STRATA_HAS_HALIDE ON)
    message(STATUS "Halide ${Halide_VERSION}: ${Halide_DIR}")
  elseif(STRATA_HALIDE STREQUAL "ON")
    message(FATAL_ERROR "Halide 21 was not found. Install it with "
      "`python3 -m venv .venv && .venv/bin/pip install -r requirements.txt`, "
      "or name it with -DHalide_DIR=<folder of HalideConfig.cmake>.")
  else()
    message(STATUS "Halide 21 was not found: the C compiler of the system makes code of kernels")
  endif()
endif()

# libmvec, glibc's vector math, has all functions since glibc 2.35, on x86-64. -lm links it.
set(STRATA_HAS_LIBMVEC OFF)
if(NOT STRATA_LIBMVEC STREQUAL "OFF")
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES m)
  check_c_source_compiles("
    typedef float floats __attribute__((vector_size(64)));
    __attribute__((target(\"avx512f\"))) floats _ZGVeN16v_erff(floats);
    __attribute__((target(\"avx512f\"))) int main(void) {
      floats x = {0};
      return (int)_ZGVeN16v_erff(x)[0];
    }" STRATA_FOUND_LIBMVEC)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(STRATA_FOUND_LIBMVEC)
    set(STRATA_HAS_LIBMVEC ON)
  elseif(STRATA_LIBMVEC STREQUAL "ON")
    message(FATAL_ERROR "libmvec of glibc 2.35 or later, on x86-64, was not found.")
  else()
    message(STATUS "libmvec was not found: math functions of vectors are computed lane by lane")
  endif()
endif()

# MPI, for teams of processes (runtime/mpi). Kernels and the rest of the project do without it.
set(STRATA_HAS_MPI OFF)
if(NOT STRATA_MPI STREQUAL "OFF")
  find_package(MPI QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(STRATA_HAS_MPI ON)
    message(STATUS "MPI ${MPI_C_VERSION}: Strata::mpi is built")
  elseif(STRATA_MPI STREQUAL "ON")
    message(FATAL_ERROR "MPI was not found. Install it: openmpi-bin and libopenmpi-dev of Debian.")
  else()
    message(STATUS "MPI was not found: Strata::mpi, for kernels on several ranks, is left out "
      "(openmpi-bin and libopenmpi-dev of Debian)")
  endif()
endif()

# nanobind is a package of the Python that the module is for: that of .venv, or Python_EXECUTABLE.
set(STRATA_HAS_PYTHON OFF)
if(NOT STRATA_PYTHON STREQUAL "OFF")
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python")
    set(Python_EXECUTABLE "${PROJECT_SOURCE_DIR}/.venv/bin/python")
  endif()
  find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module)
  if(Python_FOUND)
    execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir ERROR_QUIET
                    OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
    find_package(nanobind 2.9 CONFIG QUIET)
  endif()
  if(nanobind_FOUND)
    set(STRATA_HAS_PYTHON ON)
  elseif(STRATA_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "Python's headers and nanobind 2.9 were not found for ${Python_EXECUTABLE}. "
      "Install python3-dev, and python/requirements.txt in .venv.")
  else()
    message(STATUS "Python's headers or nanobind were not found: the Python module is left out")
  endif()
endif()
