// The mask of a vector's lanes, computed with numbers of 32 bits:
//     n >= 8 j + lane + 1   ~>   lane < int32(clamp(n - 8 j, 0, 8))
//
// Indices have 64 bits. In 64 bits the mask of 8 float lanes takes two comparisons, and five more
// instructions to join their results. LLVM leaves all of these in the loop, for each access.
#pragma once

#include <string>

#include "codegen/halide/emit/index_reports.h"
#include "codegen/halide/emit/scope.h"

namespace strata::halide {

// The mask of "condition" in the vector loop over "variable"; "position" is the position in this
// loop.
HExpr lane_mask(const Expr& condition, const std::string& variable, const LanePosition& position,
                const Scope& scope);

}  // namespace strata::halide
