// May lanes that are off store anything?
//
//     vector for j_lane: mask (H >= 24 q + j_lane + 1) { s[24 q + j_lane] = s[24 q + j_lane] + .. }
//
// If all stores to a temporary buffer are under masks, and these ask the same of the place, no lane
// that is on ever touches the place of one that is off. So its old value need not be kept, which
// takes a blend for each store where instructions have no masks of their own.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Such lanes may leave poison (codegen/halide/passes, "define deciding lanes"), so nothing may be
// decided by the values of the buffer, either.
bool has_idle_places(const Allocate& allocate);

// Does the operation have a value in each lane, which follows from the operands' in this lane only,
// whatever they are?
bool is_lane_by_lane(const Expr& e);

}  // namespace strata
