// The work of programs, as far as their extents are numbers.
#pragma once

#include <optional>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// The float operations of the tensors, at least one for each element; nothing if an extent is not a
// number.
std::optional<double> operation_count(const std::vector<Tensor>& outputs);

// The operations of the operators, primitive functions and kernels that a run of the function
// calls, as far as extents are numbers. Both bodies of a branch count. A recursive call does not.
double operation_count(const Module& module, const GraphFunction& function);

}  // namespace strata::graph
