#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Gives one computation the schedule written in "map", which may be piecewise.
//
//     Theta'_S = map,
//     map = { S[i, j] -> [0, j, 1, i] : i < 8;  S[i, j] -> [1, i, 0, j] : i >= 8 }
//
// Static numbers refer to the program as it is printed at this point: if a number leads to a loop
// of another computation, S joins that loop. The map is brought into 2d+1 form:
// - A dimension that is constant on a piece is static, the others are loops. Consecutive static
//   dimensions count as one, compared lexicographically. A missing static number is S's present one
//   if all static numbers before it are S's present ones, else 0.
// - If dimensions 0, 2, 4, .. are constant on all pieces, the map is in 2d+1 form already. Then a
//   piece with a constant in a loop dimension is in one iteration of the loop that other branches
//   have there, if any.
// - Pieces with different constants are separate branches. The tuple that a piece maps to names it,
//   { S[i] -> head[0, i] : i < 8;  S[i] -> rest[1, i] : i >= 8 }, else it is p1, p2, ..
// A new loop has the name of the iterator it runs over, else t0, t1, ..; a loop that S joins keeps
// its name and tags.
//
//     for i: T(i)                      for i:
//     for i: S(i)             ~>         T(i)
//                                        S(i)      set_schedule(S, "{ S[i] -> [0, i, 1] }")
//
// Legal iff verified() accepts it.
// Errors: E0101 not found, E0105 the name of a piece, E0106 wrong tuple, unknown parameters, or a
// loop over parametric tiles, E0108 unreadable text, E0203 S would run at the times of another
// computation, and verified().
Program set_schedule(const Program& program, const std::string& definition, const std::string& map,
                     Given given = {});
Program set_schedule(const Program& program, const std::string& definition,
                     const isl::union_map& map, Given given = {});

}  // namespace strata
