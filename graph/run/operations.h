// How much work programs are, as far as their extents are numbers.
#pragma once

#include <optional>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// The operations on floats that the tensors take, and one at least for each element; nothing if an
// extent is no number.
std::optional<double> operation_count(const std::vector<Tensor>& outputs);

// Those of the operators, primitive functions and kernels that a run of the function calls, where
// extents are numbers. Both bodies of a branch count; what a function does that calls itself does
// not.
double operation_count(const Module& module, const GraphFunction& function);

}  // namespace strata::graph
