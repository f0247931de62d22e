#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Lets one copy of a vector loop run both full vectors and those that the border of the domain cuts
// off: lanes beyond it are switched off, they load and store nothing.
//
//     vector for l = 0 .. min(8, N - 8 i) - 1: S(8 i + l)
//         ~>
//     vector for l = 0 .. 7: mask (8 i + l < N) S(8 i + l)
//
// Theta stays as it is: legal always.
// Errors: E0101, E0102, E0103 not found, E0106 a loop that is no vector loop.
Program mask(const Program& program, const LoopRef& loop, Given given = {});

}  // namespace strata
