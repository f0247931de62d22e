#pragma once

#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Permutes loops of a chain, adjacent or not: they take the places that these loops have together,
// in the order given, from the outside; loops between them that are not named stay. Names and tags
// move with their loops. With q_0 < .. < q_n the levels of all loops named, p_k that of loop k:
//
//     Theta'_S = Theta_S . { [t] -> [t'] : t'_(q_k) = t_(p_k), the other levels as before }
//     for every S inside the loops
//
//     for i: for j: for k: S(i, j, k)   ~>   for k: for i: for j: S(i, j, k)      reorder(k, i, j)
//
// Legal iff every dependence stays in order, no value is overwritten too early, and no race arises.
// Errors: E0101, E0102, E0103 not found, E0106 a loop is named twice, E0107 the loops have
// different owners, and verified().
Program reorder(const Program& program, const std::vector<LoopRef>& loops, Given given = {});

}  // namespace strata
