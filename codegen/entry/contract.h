// Requirements of all back ends on kernels, beyond codegen/tree/loop_tree.h.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// 1. Names of kernels, parameters and buffers are valid in C and C++, and distinct: among all
//    kernels of an object, and among all arguments of a kernel. No kernel is named like a function
//    of the runtime, or of the library of C (library_names.h).
// 2. Every buffer has as many lower as upper bounds, and at most STRATA_MAX_RANK.
// 3. Pairs that may overlap are arguments.
// Throws E0105 for a bad name, otherwise E0502.
void check_contract(const std::vector<Kernel>& kernels);

// Is it a keyword of C or C++, or a name that the header of the kernels uses itself?
bool is_word_of_c(const std::string& name);

}  // namespace strata
