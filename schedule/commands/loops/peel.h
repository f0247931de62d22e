#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Moves the first n iterations of a loop, with everything inside, into a loop nest of their own
// before the others; for n < 0 the last -n iterations, after the others. For n > 0, with
// m(pre) = min { t : some branch in the loop, initial values included, runs at [pre, t, ..] },
//
//     Theta_S.head = { S[x] -> [pre, b, t, ..] in Theta_S : t < m(pre) + n }
//     Theta_S.rest = { S[x] -> [pre, b + 1, t, ..] : [pre, b, t, ..] in Theta_S, t >= m(pre) + n }
//     for every S inside the loop
//
//     for i = 0 .. N - 1: S(i)   ~>   for i_head = 0 .. min(n, N) - 1: S(i_head)
//                                     for i = n .. N - 1: S(i)
//
// n counts values of the iterator, so fewer than n iterations move if the loop has gaps. The new
// nest is a copy with the same tags. Its loop is called NAME_head (NAME_tail for n < 0), and each
// branch inside becomes the pieces head (tail) and rest; a branch that was a piece already keeps
// its name in the rest. "piece", if given, replaces head or tail in these names.
// Always legal, since the order stays; inside a vector loop, legal iff verified() accepts it.
// Errors: E0101, E0102, E0103 not found; E0104, E0105 the name of the piece; E0106 n = 0,
// |n| > 10^9, a loop over parametric tiles or inside one, a loop without a first (last) iteration.
Program peel(const Program& program, const LoopRef& loop, std::int64_t n,
             const std::string& piece = "", Given given = {});

}  // namespace strata
