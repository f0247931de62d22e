# Kernels for GPUs in tests and examples.

# strata_generate_kernels(<variable> <generator> <folder> TARGET target KERNELS name..): the objects
# that "generator FOLDER TARGET" writes.
function(strata_generate_kernels variable generator folder)
  cmake_parse_arguments(PARSE_ARGV 3 kernels "" "TARGET" "KERNELS")
  list(TRANSFORM kernels_KERNELS REPLACE "(.+)" "${folder}/\\1.o" OUTPUT_VARIABLE objects)
  add_custom_command(
    OUTPUT ${objects}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND ${generator} "${folder}" "${kernels_TARGET}"
    DEPENDS ${generator}
    COMMENT "Generating kernels for ${kernels_TARGET}"
    VERBATIM)
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(${variable} ${objects} PARENT_SCOPE)
endfunction()

# strata_test_on_pocl(<test>..): these tests run on PoCL's device, which is the CPU. PoCL 3.1 computes
# some sequential loops wrongly by its default method, loopvec.
function(strata_test_on_pocl)
  set_tests_properties(${ARGV} PROPERTIES TIMEOUT 600 ENVIRONMENT
    "HL_OCL_PLATFORM_NAME=Portable Computing Language;HL_OCL_DEVICE_TYPE=cpu;POCL_WORK_GROUP_METHOD=loops;POCL_CACHE_DIR=${PROJECT_BINARY_DIR}/pocl")
endfunction()

# strata_test_on_emulated_cuda(<test>..): these tests run on the driver of tests/gpu, which executes
# launches on the CPU (tests/gpu/emulator).
function(strata_test_on_emulated_cuda)
  set_tests_properties(${ARGV} PROPERTIES TIMEOUT 600 ENVIRONMENT
    "LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/tests/gpu/recording;STRATA_TEST_CUDA=1")
endfunction()

# strata_test_without_devices(<test>..): the folder of drivers is not there.
function(strata_test_without_devices)
  set_tests_properties(${ARGV} PROPERTIES TIMEOUT 60
    ENVIRONMENT "OCL_ICD_VENDORS=${PROJECT_BINARY_DIR}/no_drivers")
endfunction()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
option(STRATA_WITHOUT_PTXAS "Leave out the tests that need ptxas" OFF)

# strata_test_ptx_in(<folder> <test> <table>): the PTX of the objects in the folder, through ptxas of
# PyPI's wheel nvidia-cuda-nvcc, or of this machine, is as the table says.
function(strata_test_ptx_in folder test table)
  if(NOT STRATA_WITHOUT_PTXAS)
    add_test(NAME "${test}"
      COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/gpu/ptxas_test.py"
              "${CMAKE_CURRENT_SOURCE_DIR}/${table}" "${folder}")
  endif()
endfunction()

# strata_test_ptx(<test> <table> <generator>..): strata_test_ptx_in of the generators' kernels.
function(strata_test_ptx test table)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/ptx")
  set(commands)
  foreach(generator IN LISTS ARGN)
    list(APPEND commands COMMAND ${generator} "${folder}" host-cuda)
  endforeach()
  add_custom_command(
    OUTPUT "${folder}/done"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    ${commands}
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/done"
    DEPENDS ${ARGN}
    COMMENT "Generating kernels for CUDA"
    VERBATIM)
  string(MAKE_C_IDENTIFIER "strata_${test}" target)
  add_custom_target(${target} ALL DEPENDS "${folder}/done")
  strata_test_ptx_in("${folder}" "${test}" ${table})
endfunction()
