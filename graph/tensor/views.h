// Views that kernels compute.
#pragma once

#include "graph/tensor/tensor.h"

namespace strata::graph {

// True if the view reads a copy: elements of arguments that other operations have put elsewhere, as
// slices and transpositions do, and if no index is a quotient:
//
//     { view[b, h, d] -> slice[b, 32 h + d] },  { slice[b, i] -> x[b, i + 64] }
//
// The copy would be made for the view alone. So a kernel reads the argument through both relations
// instead, if the indices are affine.
bool reads_copy(const Operation& view);

// True for i d, i / d and i % d, which are quasi-affine in the iterator i only if d is a number.
// True also for min(i, d), which is one of two indices.
bool wants_number(const Expr& e);

// True if the operation is a part of a kernel: it is computed, and is not a view of an array.
bool is_in_kernel(const Operation& op);

}  // namespace strata::graph
