#pragma once

#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Computes P inside loops of its readers: each iteration of such a loop first computes the values
// of P that it reads, even if other iterations compute them too.
//
//     needed   = { pre -> P[y] } = union over the readers C in the loop of
//                                  prefix_C^-1 . R_CP . (R_PP)^*
//     Theta'_P = { P[y] -> pre ++ [b] ++ Theta_P(y) : pre -> P[y] in needed }
//
// with b just before the first reader, pre the iterators of the loop named and of those around it,
// R_CP = { C[x] -> P[y] : C[x] reads P[y] }, and R_PP the reads of P by itself. Where isl has no
// exact closure of R_PP it gives a superset, and more of P is computed than needed.
//
//     for y:                           for y0:
//       for x: P(y, x)                   for y in what the tile reads:
//     for y0:                     ~>       for x: P(y, x)
//       for y1:                          for y1:
//         for x: C(32 y0 + y1, x)          for x: C(32 y0 + y1, x)     compute_at(P, {C.y0})
//
// P's own loops keep their tags and names; if a loop around one has the same name, it gets the
// smallest free number: i, i2. With several loops, P gets several places. Each iteration has the
// buffer of P's values for itself (Loop::allocations), unless other arrays share it or P's array is
// used outside the loops. If P was placed before, its old places (and store_at) are dropped.
// Computations placed in P's own loops move along and are placed there again by the same rule.
// Legal iff verified() accepts it.
// Errors: E0101, E0102, E0103 not found, or P has a piecewise schedule; E0204 P is not scheduled;
// E0106 a loop is named twice, is inside another one named, belongs to P itself, or holds no reader
// of P, or no loop is named, or P's own loops depend on those around; E0107 a reader of P, or of
// what moves along, is outside the loops; and verified().
Program compute_at(const Program& program, const std::string& producer,
                   const std::vector<LoopRef>& loops, Given given = {});

// The same for one loop, unless P is computed in it already: then its own loops stay as they are.
Program computed_in(const Program& program, const std::string& producer, const LoopRef& loop,
                    Given given = {});

// Computes all of P once, in a nest of its own outside all loops, just before the first reader.
// This undoes compute_at; P's own loops stay as they are.
Program compute_at_root(const Program& program, const std::string& producer, Given given = {});

}  // namespace strata
