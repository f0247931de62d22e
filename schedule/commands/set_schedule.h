#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Gives one computation the schedule written in "map", which may be piecewise.
//
//     Theta'_S = map,   map = { S[i, j] -> [0, j, 1, i] : i < 8;  S[i, j] -> [1, i, 0, j] : i >= 8
//     }
//
// Its numbers are those of the program as it is printed now: with a number that leads to a loop of
// another computation, S joins that loop.  The map is brought into 2d+1 form:
//  - A dimension that is one number on a piece is static, the others are loops.  Consecutive
//    statics are one, in lexicographic order.  A missing static is the one that S has there now
//    if all before it are, else 0.
//  - If every other dimension, from the first on, is a number on all pieces, the map has 2d+1 form
//    already.  Then a number at a loop's place is an iteration of the loop there, if others have
//    one.
//  - Pieces whose numbers differ are branches of their own.
// A new loop is named by the iterator it runs over, else t0, t1, ..; a loop that S joins keeps its
// name and tag.
//
//     for i: T(i)                      for i:
//     for i: S(i)             ~>         T(i)
//                                        S(i)      set_schedule(S, "{ S[i] -> [0, i, 1] }")
//
// Legal iff judged() finds it so.
// Errors: E0101 not found, E0106 another tuple or unknown parameters, E0108 unreadable text, E0203
// S would meet another computation in one place, and judged().
Program set_schedule(const Program& program, const std::string& definition, const std::string& map,
                     Given given = {});
Program set_schedule(const Program& program, const std::string& definition,
                     const isl::union_map& map, Given given = {});

}  // namespace strata
