// Kernels as a file of C.
#pragma once

#include <string>
#include <vector>

#include "codegen/c/form.h"
#include "codegen/tree/loop_tree.h"

namespace strata::c {

// The text is C11, and needs only the functions of strata_runtime. Each kernel is a function as
// c_header declares it. For callers in process there is also NAME_argv: it takes a list of pointers
// to numbers, and of buffers. The exact float mode needs the option -ffp-contract=off. Throws E0502
// for what no CPU has, and for what codegen/entry/contract.h refuses.
std::string source(const std::vector<Kernel>& kernels, const Form& form);

}  // namespace strata::c
