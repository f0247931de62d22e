#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Runs b before a, in the loops of a down to and including "loop" (a loop of a; none: in no common
// loop, b's whole nest stands right before a's).  All else as for after.
//
//     for i:                      for i:
//       for j: A(i, j)              for y: B(i, y)                     before(B, A, "i")
//     for x:                 ~>     for j: A(i, j)
//       for y: B(x, y)
//
// Legal iff judged() finds it so.
// Errors: as after.
Program before(const Program& program, const std::string& b, const std::string& a,
               const std::optional<std::string>& loop = std::nullopt, Given given = {});

}  // namespace strata
