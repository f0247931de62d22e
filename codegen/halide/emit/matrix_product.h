// Products of matrices by the threads of a warp.
#pragma once

#include <string>

#include "codegen/halide/emit/expression.h"
#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The product on tensor cores; "sums" is the view of its buffer. "name" is an unused name, for the
// vector of results. With "pairs", two adjacent elements of 16 bits may be loaded as a vector.
HStmt matrix_product(const Mma& s, const BufferView& sums, ExpressionEmitter& expressions,
                     const std::string& name, bool pairs);

}  // namespace strata::halide
