# Kernels for AArch64, the runtime and a host program, run by qemu.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
if(missing)
  return()
endif()

# One library serves all CPUs.
set(library "${scratch}/libstrata_runtime.a")
set(ENV{STRATA_BUILD} "${build}")
run("${source}/tools/runtime" neoverse-v1 "${library}" "${aarch64_cc}")

# check(<targets> <version on a Cortex-A57> <version on a CPU with all features>)
function(check targets on_a57 on_max)
  set(folder "${scratch}/${targets}")
  file(MAKE_DIRECTORY "${folder}")
  run("${generator}" "${folder}" "${targets}")
  make_host("${aarch64_cc}" "${folder}" "${library}")
  set(qemu "${CMAKE_COMMAND}" -E chdir "${folder}" "${qemu_aarch64}" -L /usr/aarch64-linux-gnu)
  run(${qemu} -cpu cortex-a57 ./host ${on_a57})
  run(${qemu} -cpu max ./host ${on_max})
endfunction()

check(neoverse-v1 1 1)
check(arm-64-linux,arm-64-linux-arm_dot_prod-arm_fp16 1 2)
# Without the least target, no version suits the first CPU.
check(arm-64-linux-arm_dot_prod,arm-64-linux-arm_dot_prod-arm_fp16 0 2)
