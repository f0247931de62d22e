#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Fuses two loops in the body of the same loop (or both outermost): the body of b is appended to
// that of a, and b is removed.
//
//     Theta'_S = Theta_S . { [.., b, t, x, ..] -> [.., a, t, x + (size of a's body), ..] }
//     for every S inside b
//
//     for i: A(i)           for i: A(i)
//     C                ~>          B(i)
//     for j: B(j)           C
//
// The loop keeps the name of a; the tags of both must agree.
// Legal iff verified() accepts it.
// Errors: E0101, E0102, E0103 not found, E0104 a loop inside b has the name of a, E0106 a and b are
// not in the same loop, E0205 the tags differ, and verified().
Program fuse(const Program& program, const LoopRef& a, const LoopRef& b, Given given = {});

}  // namespace strata
