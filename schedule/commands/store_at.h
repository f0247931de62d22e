#pragma once

#include <optional>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Keeps what compute_at computes inside a loop: each iteration of the loop (without one: the whole
// kernel) has one buffer for the values of P, and computes each of them once, where it is needed
// first.  With the loops between this one and P sequential that is a sliding window: an iteration
// adds the values that the ones before it did not need.
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
// store_in({r % 3}) then makes the buffer as small as the window.
// Legal iff judged() finds it so: a loop between that is parallel is refused.
// Errors: E0101, E0102, E0103 not found; E0106 P is not computed inside the loop, or not by
// compute_at; and judged().
Program store_at(const Program& program, const std::string& producer,
                 const std::optional<LoopRef>& loop, Given given = {});

}  // namespace strata
