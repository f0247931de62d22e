// The rule of contributions that tensor cores may compute (Branch::mma).
//
//  R215 (E0106) A branch that is marked as a product of shape m16n8kK is a sum of float32 of
//       contributions A * B, two reads of arrays of the shape's type, cast to float32 where they
//       have another. A warp is the 8 threads of the loop g of axis y by the 4 of the loop t of
//       axis x; inside of them ri, rj, k are the innermost loops, sequential or unrolled, with
//
//           0 <= g < 8,   0 <= t < 4,   0 <= ri, rj < 2,   0 <= k < K
//
//       With pre the other loops, the element of A is a function of (pre, 8 ri + g, k), that of B
//       one of (pre, 2 t + rj, k), and that of the result one of (pre, g, t, ri, rj), another one
//       for each ri and rj. So the iterations of a full tile are a product of a 16 x K and a K x 8
//       matrix, in the layout of PTX's fragments: lane 4 g + t has the sums of rows g and g + 8 and
//       columns 2 t and 2 t + 1.
#pragma once

#include "core/error.h"
#include "layers/program.h"

namespace strata {

void verify_products(const Program& program, const Request& request);

// Of the two operands of a marked branch: is A the first?
bool has_rows_first(const Algorithm& algorithm, const Placed& placed);

}  // namespace strata
