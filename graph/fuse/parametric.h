// Kernels that serve several sizes: extents become parameters.
#pragma once

#include <functional>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// Calls an operator on tensors.
using CallOperator = std::function<std::vector<Tensor>(
    const OperatorCall& call, const std::vector<Tensor>& operands, const Where& where)>;
// Calls the operator that find_operator finds.
std::vector<Tensor> call_operator(const OperatorCall& call, const std::vector<Tensor>& operands,
                                  const Where& where);
// The outputs that operators make of inputs.
using MakeOutputs =
    std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs, const CallOperator&)>;

// Extents up to this stay numbers: windows, blocks, batches, numbers of heads. A loop of known
// length can be unrolled, or be a whole vector.
constexpr std::int64_t most_constant_extent = 16;

// The kernel that "make" computes, with a parameter instead of each extent of its inputs: one
// kernel for equal layers of different sizes. An extent stays as it is
//   - if it is a number up to most_constant_extent,
//   - if an operator takes no other (E0602), like a reshape to a given shape,
//   - if it is the extent of a window: an index is the sum of an iterator over it and another
//     iterator,
//   - if an index multiplies an iterator by it, divides by it (tile), or is a minimum with it
//     (strided_slice).
// Extents that operators require to be equal (MayDiffer) share one parameter, or become the dim
// over other parameters that is required. If the inputs have the given extents, the results have
// theirs. Returns the kernel itself if nothing becomes a parameter.
TensorKernel parametric(const TensorKernel& kernel, const MakeOutputs& make);

}  // namespace strata::graph
