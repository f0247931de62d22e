// Products of matrices by the threads of a warp.
#pragma once

#include <string>

#include "codegen/halide/emit/expression.h"
#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The product on tensor cores; "sums" is the view of its buffer.  "name" is free for the vector of
// results.  "pairs": may two elements of 16 bits side by side be loaded as a vector?
HStmt matrix_product(const Mma& s, const BufferView& sums, ExpressionEmitter& expressions,
                     const std::string& name, bool pairs);

}  // namespace strata::halide
