// The kernels of groups as a page shows them.
#pragma once

#include <vector>

#include "graph/ir/module.h"
#include "viewer/module_page.h"

namespace strata::graph {

// Adds to the groups of the page, which are these functions, their operations, or else the first
// group that computes the same. With "compiled", it also compiles the groups, side by side, and
// adds their kernels.
void add_kernels(ModulePage& page, const std::vector<GraphFunction>& functions, bool compiled,
                 const Where& where);

}  // namespace strata::graph
