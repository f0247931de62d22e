// Sizes of tensors before extents are known.
#pragma once

#include "graph/ir/value_type.h"

namespace strata::graph {

// What an extent probably is: a symbol counts 1000.
double likely(const Expr& extent);

// The elements of an array of this shape, and the bytes of one of this type. 0 bytes for anything
// but a tensor of known extents and type.
double likely_elements(const Shape& shape);
double likely_bytes(const ValueType& type);

}  // namespace strata::graph
