// Kernels as machine code in this process.
#pragma once

#include "tests/fuzz/differential.h"

namespace strata::fuzz {

// Through Halide and LLVM.  The kernel is run in memory of every shape in turn (guarded.h), and
// must leave everything alone that is not its output.
KernelRunner machine_code(const Kernel& kernel, const Program& finished);

}  // namespace strata::fuzz
