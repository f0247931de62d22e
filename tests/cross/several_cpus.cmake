# A kernel for x86-64-v3 and x86-64-v4 on a CPU that has both, one of them, and none.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
if(missing)
  return()
endif()

set(targets "x86-64-v3,x86-64-v4")
set(ENV{STRATA_BUILD} "${build}")
run("${generator}" "${scratch}" "${targets}")
run("${source}/tools/runtime" "${targets}" "${scratch}/libstrata_runtime.a" "${cc}")
make_host("${cc}" "${scratch}" "${scratch}/libstrata_runtime.a")

# At hand: as /proc/cpuinfo says.
file(STRINGS /proc/cpuinfo features REGEX "^flags" LIMIT_COUNT 1)
set(version 0)
if(features MATCHES " avx2")
  set(version 1)
endif()
if(features MATCHES " avx512vl")
  set(version 2)
endif()
run("${CMAKE_COMMAND}" -E chdir "${scratch}" ./host ${version})
# qemu executes AVX2, but not AVX-512.
run("${CMAKE_COMMAND}" -E chdir "${scratch}" "${qemu_x86}" -cpu Haswell ./host 1)

execute_process(COMMAND "${qemu_x86}" -cpu Nehalem ./host 0 WORKING_DIRECTORY "${scratch}"
                RESULT_VARIABLE status OUTPUT_VARIABLE told ERROR_QUIET)
set(expected "lengths: compiled for other CPUs than this one; add x86-64-v2 to its targets, which \
are x86-64-v4 (it lacks avx, f16c, fma, movbe, abm, bmi1, bmi2, avx2, avx512f, avx512cd, avx512bw, \
avx512dq, avx512vl), x86-64-v3 (it lacks avx, f16c, fma, movbe, abm, bmi1, bmi2, avx2)\n")
if(NOT status EQUAL 0 OR NOT told STREQUAL expected)
  message(FATAL_ERROR "on Nehalem, status ${status}:\n${told}")
endif()
