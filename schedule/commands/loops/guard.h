#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Executes full and partial tiles of a loop with the same code: an unrolled loop is unrolled
// completely, with a guard around each iteration; other loops have the domain boundary in their
// bounds.
//
//     unrolled for i1 = 0 .. min(8, N - 8 i0) - 1: S(8 i0 + i1)
//         ~>
//     if (8 i0 < N) S(8 i0); .. if (8 i0 + 7 < N) S(8 i0 + 7)
//
// Theta is unchanged: always legal.
// Errors: E0101, E0102, E0103 not found, E0106 a vector loop (use mask).
Program guard(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
