#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Runs a, then b, sharing the loops of a down to and including "loop": after(b, a, loop) in reading
// order.
//
//     for i: A(i)   for x: B(x)   ~>   for i: A(i); B(i)               then(A, B, "i")
//
// Legality and errors: as after.
Program then(const Program& program, const BranchRef& a, const BranchRef& b,
             const std::optional<std::string>& loop = std::nullopt, Given given = {});

}  // namespace strata
