// What this back end asks of kernels beyond codegen/tree/loop_tree.h.
#pragma once

#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// 1. Kernels, parameters and buffers have names that C and C++ take, and different ones: all
//    kernels of an object, and all arguments of a kernel.
// 2. Every buffer has as many lower as upper bounds, and at most STRATA_MAX_RANK.
// 3. Pairs that may overlap are arguments.
// Error E0105 for names, E0502 else.
void check_contract(const std::vector<Kernel>& kernels);

}  // namespace strata::halide
