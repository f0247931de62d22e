#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Moves b directly after a, sharing the loops of a down to and including "loop" (std::nullopt: no
// shared loop, b's nest follows a's).
//
//     Theta'_b = { b[x] -> [prefix of a's static dimensions, .., position of a + 1, ..] },
//     with unchanged iterators: the leading loops of b are merged into those of a
//
//     for i:                      for i:
//       for j: A(i, j)              for j: A(i, j)
//     for x:                 ~>     for y: B(i, y)                     after(B, A, "i")
//       for y: B(x, y)
//
// The shared loops keep a's names, and their tags must agree. Other nodes in b's loops stay there,
// except those placed in them for b (compute_at).
// Legal iff verified() accepts it.
// Errors: E0101, E0102, E0103 not found, E0204 not scheduled, E0104 two loops of b would have one
// name, E0106 b has too few loops, E0205 tags differ, and verified().
Program after(const Program& program, const BranchRef& b, const BranchRef& a,
              const std::optional<std::string>& loop = std::nullopt, Given given = {});

}  // namespace strata
