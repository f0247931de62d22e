# A model for AArch64 as a C library, run by qemu.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
if(missing)
  return()
endif()

set(ENV{STRATA_BUILD} "${build}")
set(example "${source}/examples/model")
run("${python}" -B "${example}/perceptron.py" "${scratch}/perceptron.onnx")
foreach(target neoverse-v1 arm-64-linux,arm-64-linux-arm_dot_prod-arm_fp16)
  run("${source}/tools/model" "${scratch}/perceptron.onnx" "${scratch}/${target}" "target=${target}")
  run("${source}/tools/runtime" "${target}" "${scratch}/libstrata_runtime.a" "${aarch64_cc}")
  run("${aarch64_cc}" -std=c99 -Wall -Wextra -Werror "-I${source}/include" "-I${scratch}/${target}"
      "${example}/host.c" "${scratch}/${target}/perceptron.c"
      "${scratch}/${target}/perceptron_kernels.a" "${scratch}/libstrata_runtime.a"
      -lpthread -ldl -lm -o "${scratch}/host")
  run("${qemu_aarch64}" -L /usr/aarch64-linux-gnu -cpu max "${scratch}/host"
      "${scratch}/${target}/perceptron.weights")
endforeach()
