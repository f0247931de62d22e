#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Executes full and partial vectors of a vector loop with the same code: lanes beyond the domain
// boundary are switched off; they neither load nor store.
//
//     vector for l = 0 .. min(8, N - 8 i) - 1: S(8 i + l)
//         ~>
//     vector for l = 0 .. 7: mask (8 i + l < N) S(8 i + l)
//
// Theta is unchanged: always legal.
// Errors: E0101, E0102, E0103 not found, E0106 not a vector loop.
Program mask(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
