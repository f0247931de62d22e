// Refuses kernels that a back end would take too long to compile.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"

namespace strata {

// E0903 if code_size (codegen/tree/code_size.h) exceeds "limit". The refusal names the loops that
// cause it, and the commands in "history" that made these loops.
void require_small(const Kernel& kernel, const std::vector<std::string>& history, double limit,
                   const Request& request);

}  // namespace strata
