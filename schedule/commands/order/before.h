#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Moves b directly before a, sharing the loops of a down to and including "loop" (std::nullopt: no
// shared loop, b's nest precedes a's). Otherwise as after.
//
//     for i:                      for i:
//       for j: A(i, j)              for y: B(i, y)                     before(B, A, "i")
//     for x:                 ~>     for j: A(i, j)
//       for y: B(x, y)
//
// Legal iff verified() accepts it.
// Errors: as after.
Program before(const Program& program, const BranchRef& b, const BranchRef& a,
               const std::optional<std::string>& loop = std::nullopt, Given given = {});

}  // namespace strata
