#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Unrolls a loop completely: its body is repeated for each iteration.
//
//     for i = 0 .. 3: S(i)   ~>   S(0); S(1); S(2); S(3)
//
// Theta is unchanged; the loop is tagged.
// Always legal, as the order is unchanged; the loop must have a constant bound on its extent.
// Errors: E0101, E0102, E0103 not found, E0106 no constant bound, or parametric tiles.
Program unroll(const Program& program, const LoopRef& loop, Given given = {});

// Splits a loop by "factor" and unrolls the inner one.
//
//     Theta'_S = Theta_S . { [.., t, ..] -> [.., floor(t / factor), t mod factor, ..] }
//
//     for i: S(i)   ~>   for outer: S(2 outer); S(2 outer + 1)              (factor 2)
//
// By default (empty names) the outer loop keeps the name, and the inner one is named NAME_unroll.
// Errors: as split.
Program unroll(const Program& program, const LoopRef& loop, std::int64_t factor,
               const std::string& outer = "", const std::string& inner = "", Given given = {});

}  // namespace strata
