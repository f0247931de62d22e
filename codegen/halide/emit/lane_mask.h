// Which lanes of a vector are on, as numbers of 32 bits:
//     n >= 8 j + lane + 1   ~>   lane < int32(clamp(n - 8 j, 0, 8))
//
// Indices have 64 bits. Compared as such, the lanes of 8 floats take two comparisons, and five more
// instructions to make one mask of their results, which LLVM leaves in the loop of each access.
#pragma once

#include <string>

#include "codegen/halide/emit/index_reports.h"
#include "codegen/halide/emit/scope.h"

namespace strata::halide {

// In the vector loop over "variable", which is at "position".
HExpr lane_mask(const Expr& condition, const std::string& variable, const LanePosition& position,
                const Scope& scope);

}  // namespace strata::halide
