// Kernels as machine code in this process.
#pragma once

#include "tests/fuzz/differential.h"

namespace strata::fuzz {

// Compiles by Halide and LLVM. Each run of the kernel uses memory of every shape in turn
// (guarded.h) and must not change anything but its outputs.
// Empty for a kernel with launches on a GPU: the loop tree alone runs those.
KernelRunner machine_code(const Kernel& kernel, const Program& finished);

}  // namespace strata::fuzz
