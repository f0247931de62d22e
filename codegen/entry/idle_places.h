// May lanes that are off store anything?
//
//     vector for j_lane: mask (H >= 24 q + j_lane + 1) { s[24 q + j_lane] = s[24 q + j_lane] + .. }
//
// Suppose that all stores to a temporary buffer are under masks, and that all these masks are the
// same condition on the place. Then no lane that is on ever touches the place of a lane that is
// off, and this place need not keep its old value. To keep it takes a blend for each store where
// instructions have no masks of their own.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Such lanes may leave poison (codegen/halide/passes, "define deciding lanes"). So the values of
// the buffer may decide nothing either.
bool has_idle_places(const Allocate& allocate);

// Does the operation have a value in each lane for all operands, and does this value depend only on
// the operands in this lane?
bool is_lane_by_lane(const Expr& e);

}  // namespace strata
