#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Runs all iterations of a loop as lanes of vector instructions.
//
//     for i = 0 .. 7: S(i)   ~>   S(0 .. 7)
//
// Theta is unchanged; the loop is tagged. Executions in one instruction are unordered.
// Legal iff no lane reads a value computed in a higher lane or in the same instruction, and no two
// lanes of an instruction write one place; the loop must have a constant bound on its extent.
// Errors: E0101, E0102, E0103 not found, E0106 no constant bound, or parametric tiles, E0202 a
// dependence is carried, E0305 lanes collide, E0207 contributions to one result would be
// concurrent, and verified().
Program vectorize(const Program& program, const LoopRef& loop, Given given = {});

// Splits a loop by "lanes" and vectorizes the inner one.
//
//     Theta'_S = Theta_S . { [.., t, ..] -> [.., floor(t / lanes), t mod lanes, ..] }
//
//     for i: S(i)   ~>   for outer: S(8 outer .. 8 outer + 7)                (lanes 8)
//
// By default (empty names) the outer loop keeps the name, and the inner one is named NAME_lane.
// Errors: as split, and as vectorizing the inner loop.
Program vectorize(const Program& program, const LoopRef& loop, std::int64_t lanes,
                  const std::string& outer = "", const std::string& inner = "", Given given = {});

}  // namespace strata
