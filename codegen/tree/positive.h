// Proves that an index is positive in all iterations of the loops around it, for all parameters.
// The variables are replaced from the innermost loop outwards, each by the bound of its loop that
// makes the sum least; other operands give way to what they are at least:
//     c v >= c lower,  -c v >= -c (upper - 1)                     for v in lower .. upper,  c > 0
//     c max(a, b) >= c a, c b          -c min(a, b) >= -c a, -c b
//     n floor(e / n) >= e - n + 1      -n floor(e / n) >= -e
// min(a, b) and -max(a, b) need a proof for a and one for b.
#pragma once

#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// Is e >= 1 in each iteration of the loops, the outermost first? False also if no proof is found.
bool is_positive(const Expr& e, const std::vector<const For*>& loops);

}  // namespace strata
