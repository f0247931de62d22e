# The compilers and libraries that Strata is compared with, as far as this machine has them.  For
# each peer P:
#   benchmark_P_MISSING   why it is missing, or empty
# for libraries also benchmark_P_INCLUDE and benchmark_P_LIBRARY; for compilers of the plain C also
# benchmark_P_COMMAND, which compiles one file, and benchmark_P_LINK.

set(bench_venv "${PROJECT_SOURCE_DIR}/.venv-bench")
file(GLOB openblas_wheel "${bench_venv}/lib/python3*/site-packages/scipy_openblas32")
find_path(benchmark_openblas_INCLUDE cblas.h
  PATHS "${openblas_wheel}/include" NO_DEFAULT_PATH)
find_library(benchmark_openblas_LIBRARY scipy_openblas
  PATHS "${openblas_wheel}/lib" NO_DEFAULT_PATH)
find_path(benchmark_onednn_INCLUDE dnnl.h PATHS "${bench_venv}/include" NO_DEFAULT_PATH)
find_library(benchmark_onednn_LIBRARY dnnl PATHS "${bench_venv}/lib" NO_DEFAULT_PATH)
foreach(peer openblas onednn)
  if(NOT benchmark_${peer}_INCLUDE OR NOT benchmark_${peer}_LIBRARY)
    set(benchmark_${peer}_MISSING "its wheel is not in .venv-bench")
  endif()
endforeach()
set(benchmark_halide_INCLUDE "")
set(benchmark_halide_LIBRARY Halide::Halide)

find_program(STRATA_BENCHMARK_GCC gcc)
find_program(STRATA_BENCHMARK_CLANG clang)
find_program(STRATA_BENCHMARK_POLYCC polycc)
set(c_flags -std=c11 -O3 -march=native "-I${PROJECT_SOURCE_DIR}")
set(benchmark_gcc_COMMAND ${STRATA_BENCHMARK_GCC} ${c_flags})
set(benchmark_gcc-openmp_COMMAND ${STRATA_BENCHMARK_GCC} ${c_flags} -fopenmp)
set(benchmark_gcc-openmp_LINK gomp)
set(benchmark_polly_COMMAND ${STRATA_BENCHMARK_CLANG} ${c_flags} -mllvm -polly)
# Without the last option, parallel code for what Polly recognises as a matrix product is wrong.
set(benchmark_polly-parallel_COMMAND ${benchmark_polly_COMMAND} -mllvm -polly-parallel
  -mllvm -polly-pattern-matching-based-opts=false)
set(benchmark_polly-parallel_LINK gomp)

# Of what pluto.sh writes.
set(benchmark_pluto_COMMAND ${benchmark_gcc-openmp_COMMAND} -DIVDEP=)
set(benchmark_pluto_LINK gomp)
set(benchmark_pluto-ivdep_COMMAND ${benchmark_gcc-openmp_COMMAND} "-DIVDEP=_Pragma(\"GCC ivdep\")")
set(benchmark_pluto-ivdep_LINK gomp)

if(NOT STRATA_BENCHMARK_GCC)
  foreach(peer gcc gcc-openmp pluto pluto-ivdep)
    set(benchmark_${peer}_MISSING "there is no gcc on PATH")
  endforeach()
elseif(NOT STRATA_BENCHMARK_POLYCC)
  set(benchmark_pluto_MISSING "there is no polycc on PATH")
  set(benchmark_pluto-ivdep_MISSING "${benchmark_pluto_MISSING}")
endif()
if(NOT STRATA_BENCHMARK_CLANG)
  set(benchmark_polly_MISSING "there is no clang on PATH")
else()
  execute_process(
    COMMAND ${STRATA_BENCHMARK_CLANG} -mllvm -polly -x c -c /dev/null -o /dev/null
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(benchmark_polly_MISSING "this clang is built without Polly")
  endif()
endif()
set(benchmark_polly-parallel_MISSING "${benchmark_polly_MISSING}")
