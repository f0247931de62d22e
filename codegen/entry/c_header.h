// The C header of an object file.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// Declares each kernel as a C function. A comment gives the box of each buffer that the kernel
// touches.
std::string c_header(const std::vector<Kernel>& kernels);

}  // namespace strata
