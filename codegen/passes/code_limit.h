// Refuses kernels that would take a back end too long.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"

namespace strata {

// E0903 where code_size (codegen/tree/code_size.h) is more than "limit"; the refusal names the loops
// that make it so, and those of the commands given ("history") that made these loops.
void require_small(const Kernel& kernel, const std::vector<std::string>& history, double limit,
                   const Request& request);

}  // namespace strata
