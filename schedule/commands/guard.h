#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Lets one copy of a loop run both its full iterations and those that the border of the domain cuts
// off: an unrolled loop is unrolled whole, with a condition around each iteration; others have the
// border in their bounds.
//
//     unrolled for i1 = 0 .. min(8, N - 8 i0) - 1: S(8 i0 + i1)
//         ~>
//     if (8 i0 < N) S(8 i0); .. if (8 i0 + 7 < N) S(8 i0 + 7)
//
// Theta stays as it is: legal always.
// Errors: E0101, E0102, E0103 not found, E0106 a vector loop, which has mask.
Program guard(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
