// Computes put into their readers.
#pragma once

#include <set>
#include <vector>

#include "graph/tensor/tensor.h"

namespace strata::graph {

// Does the operation compute one value, other than by a reduction of a tuple?
bool is_inlinable(const Operation& op);

// Tensors of the same values. Where a compute reads a tensor of one of the "parts", it computes
// that element instead. Parts are inlinable; one that is a reduction is read only where that is
// the whole value. Quotients and remainders that follow from the ranges of iterators are
// simplified: (16 i + j) / 16 -> i for 0 <= j < 16.
std::vector<Tensor> inlined(const std::vector<Tensor>& tensors,
                            const std::set<const Operation*>& parts);

}  // namespace strata::graph
