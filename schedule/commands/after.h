#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Runs b after a, in the loops of a down to and including "loop" (a loop of a; none: in no common
// loop, b's whole nest follows a's).
//
//     Theta'_b = { b[x] -> [prefix of a's static dimensions, .., position of a + 1, ..] }, with the
//     iterators as they were: the leading loops of b are identified with those of a
//
//     for i:                      for i:
//       for j: A(i, j)              for j: A(i, j)
//     for x:                 ~>     for y: B(i, y)                     after(B, A, "i")
//       for y: B(x, y)
//
// The shared loops bear a's names, and their tags must agree; what stood in b's loops beside b
// stays there.
// Legal iff judged() finds it so.
// Errors: E0101, E0102, E0103 not found, E0204 not scheduled, E0104 two loops of b would bear one
// name, E0106 b has too few loops, E0205 tags differ, and judged().
Program after(const Program& program, const std::string& b, const std::string& a,
              const std::optional<std::string>& loop = std::nullopt, Given given = {});

}  // namespace strata
