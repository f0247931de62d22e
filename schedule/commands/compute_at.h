#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Computes P inside loops of its readers: each iteration of such a loop first computes the values
// of P that it reads, whether other iterations compute them too or not.
//
//     needed   = { pre -> P[y] } = union over the readers C in the loop of
//                                  prefix_C^-1 . R_CP . (R_PP)^*
//     Theta'_P = { P[y] -> pre ++ [b] ++ Theta_P(y) : pre -> P[y] in needed }
//
// with b just before the first reader, pre the iterators of the loop named and of those around it,
// R_CP = { C[x] -> P[y] : C[x] reads P[y] }, and R_PP the reads of P by itself.  Where isl knows no
// exact closure of those it gives a larger one, and more of P is computed than is needed.
//
//     for y:                           for y0:
//       for x: P(y, x)                   for y in what the tile reads:
//     for y0:                     ~>       for x: P(y, x)
//       for y1:                          for y1:
//         for x: C(32 y0 + y1, x)          for x: C(32 y0 + y1, x)     compute_at(P, {C.y0})
//
// P's own loops keep their tags and names; one that bears the name of a loop around it gets the
// smallest number that tells them apart: i, i2.  Several loops give P several places.  Each
// iteration has the buffer of P's values for itself (Loop::allocations), unless other arrays live
// there too.
// Given again, the command forgets the places before (and store_at).  What was computed at P's own
// loops goes along and is computed there again, by the same rule.
// Legal iff judged() finds it so.
// Errors: E0101, E0102, E0103 not found, or P has a piecewise schedule; E0106 a loop named twice,
// one inside another, or one of P itself, that nobody in it reads P, or P's own loops depend on
// those around; E0107 a reader of P, or of what goes along, outside of the loops; and judged().
Program compute_at(const Program& program, const std::string& producer,
                   const std::vector<LoopRef>& loops, Given given = {});

// Computes all of P once, in a nest of its own just before the first reader, outside of all loops:
// what compute_at did is undone, and the loops that P has of its own stay as they are.
Program compute_at_root(const Program& program, const std::string& producer, Given given = {});

}  // namespace strata
