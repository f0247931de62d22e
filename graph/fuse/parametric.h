// Kernels that serve several sizes: extents become parameters.
#pragma once

#include <functional>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// Calls an operator on tensors.
using CallOperator = std::function<std::vector<Tensor>(
    const OperatorCall& call, const std::vector<Tensor>& operands, const Where& where)>;
// Calls find_operator's.
std::vector<Tensor> call_operator(const OperatorCall& call, const std::vector<Tensor>& operands,
                                  const Where& where);
// What operators make of inputs.
using MakeOutputs =
    std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs, const CallOperator&)>;

// Smaller extents are windows, blocks, batches and numbers of heads: a loop of known length is
// unrolled, or a whole vector.
constexpr std::int64_t most_constant_extent = 16;

// The kernel, which "make" computes, with a parameter instead of each extent of its inputs: one
// kernel for equal layers of different sizes. An extent stays as it is given
//   - if it is a number up to most_constant_extent,
//   - where an operator takes no other (E0602), as a reshape to a given shape,
//   - of windows: an index is the sum of an iterator over it and another one,
//   - where an index multiplies an iterator by it, divides by it, as in tile, or is a minimum with
//     it, as in strided_slice.
// Extents that operators require to be equal (MayDiffer) are one parameter, or the dim over others
// that is required. The results have the given extents if the inputs have.
// The kernel itself, if nothing becomes a parameter.
TensorKernel parametric(const TensorKernel& kernel, const MakeOutputs& make);

}  // namespace strata::graph
