// Tensor operations as a page shows them.
#pragma once

#include <vector>

#include "graph/ir/module.h"
#include "viewer/module_page.h"

namespace strata::graph {

// The operations of a kernel, in order, each with the tree of its body.
std::vector<ModulePage::Operation> operations_on_page(const TensorKernel& kernel);

}  // namespace strata::graph
