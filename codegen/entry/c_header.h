// The C header of an object file.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// Declares each kernel as the function that it is, with the box that it touches of each buffer.
std::string c_header(const std::vector<Kernel>& kernels);

}  // namespace strata
