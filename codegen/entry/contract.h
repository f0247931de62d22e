// Requirements of all back ends on kernels, beyond codegen/tree/loop_tree.h.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// 1. Names of kernels, parameters and buffers are valid in C and C++, and distinct: among all
//    kernels of an object, and among all arguments of a kernel. Those of kernels are not named as
//    functions of the runtime.
// 2. Every buffer has as many lower as upper bounds, and at most STRATA_MAX_RANK.
// 3. Pairs that may overlap are arguments.
// E0105 for names, otherwise E0502.
void check_contract(const std::vector<Kernel>& kernels);

// A keyword of C or C++, or a name that a header of kernels itself uses?
bool is_word_of_c(const std::string& name);

}  // namespace strata
