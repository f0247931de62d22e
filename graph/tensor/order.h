// The operations behind tensors.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "graph/tensor/tensor.h"

namespace strata::graph {

// All operations that the tensors depend on, each after the operations that it reads; otherwise in
// the order of the tensors and of input_tensors. Leaves out operations that only "given" tensors
// depend on.
std::vector<std::shared_ptr<const Operation>> operations_of(const std::vector<Tensor>& tensors,
                                                            const std::vector<Tensor>& given = {});
// Calls f for the extents of an operation, and the bounds, values and assumptions of a compute.
void for_each_expr(const Operation& op, const std::function<void(const Expr&)>& f);
// The placeholders among these operations, as tensors.
std::vector<Tensor> placeholders_of(const std::vector<Tensor>& tensors);

}  // namespace strata::graph
