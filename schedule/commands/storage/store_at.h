#pragma once

#include <optional>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Keeps what compute_at computes inside a loop: each iteration of the loop (without one: the whole
// kernel) has one buffer for the values of P, and computes each value once, where it is needed
// first. If the loops between this one and P are sequential, that is a sliding window: an iteration
// computes only the values that earlier ones did not need.
//
//     Theta'_P = { P[y] -> pre ++ lexmin { rest : P[y] -> pre ++ rest in Theta_P } }
//
// with pre the iterators down to the loop named.
//
//     for y:                              for y:
//       for r in y .. y + 3: P(r)           for r in (y == 0 ? 0 : y + 2) .. y + 3: P(r)
//       C(y) from P(y .. y + 2)       ~>    C(y) from P(y .. y + 2)
//                                                             compute_at(P, {C.y}), store_at(P)
//
// store_in({r % 3}) then shrinks the buffer to the size of the window.
// Legal iff verified() accepts it; a parallel loop in between is refused.
// Errors: E0101, E0102, E0103 not found; E0106 P is not computed inside the loop, or not by
// compute_at, or is stored in an argument of the kernel; and verified().
Program store_at(const Program& program, const std::string& producer,
                 const std::optional<LoopRef>& loop, Given given = {});

}  // namespace strata
