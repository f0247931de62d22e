#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Runs b after x in the loops of x down to and including "loop_x", and before y in the loops of y
// down to and including "loop_y" (none: in no common loop).
//
//     for i:                  for i:
//       for j: X(i, j)          for j: X(i, j); B(i, j)                between(B, X, "j", Y, "i")
//       for k: Y(i, k)   ~>     for k: Y(i, k)
//     for i: for j: B
//
// b stands beside the one it shares more loops with; x where it is the same.  All else as for
// after.
// Legal iff judged() finds it so.
// Errors: as after, and E0106 if there is no such place: x and y must share the loops that b is to
// share with both, and x must come first.
Program between(const Program& program, const std::string& b, const std::string& x,
                const std::optional<std::string>& loop_x, const std::string& y,
                const std::optional<std::string>& loop_y, Given given = {});

}  // namespace strata
