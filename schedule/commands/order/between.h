#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Moves b after x, sharing the loops of x down to and including "loop_x", and before y, sharing the
// loops of y down to and including "loop_y" (std::nullopt: no shared loop).
//
//     for i:                  for i:
//       for j: X(i, j)          for j: X(i, j); B(i, j)                between(B, X, "j", Y, "i")
//       for k: Y(i, k)   ~>     for k: Y(i, k)
//     for i: for j: B
//
// b is placed directly beside x or y, whichever shares more loops with it; directly after x in a
// tie. Otherwise as after.
// Legal iff verified() accepts it.
// Errors: as after, and E0106 if there is no such place: x and y must share the loops that b is to
// share with both, and x must come first.
Program between(const Program& program, const BranchRef& b, const BranchRef& x,
                const std::optional<std::string>& loop_x, const BranchRef& y,
                const std::optional<std::string>& loop_y, Given given = {});

}  // namespace strata
