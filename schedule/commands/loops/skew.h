#pragma once

#include "schedule/edit/command.h"

namespace strata {

// i' = a i + b j and j' = c i + d j.
struct SkewFactors {
  std::int64_t a, b, c, d;
};

// The c and d that complete a and b to determinant a d - b c = 1: the smallest with c, d >= 0 (for
// a = 1: j' = j) or, if there are none, those with the smallest |c|. std::nullopt unless a and b
// are coprime.
std::optional<SkewFactors> completed_skew(std::int64_t a, std::int64_t b);

// Skews a band of two adjacent loops, i outside.
//
//     Theta'_S = Theta_S . { [.., i, j, ..] -> [.., a i + b j, c i + d j, ..] }
//     for every S inside the loops
//
//     for i: for j: S(i, j)   ~>   for i': for j': S(d i' - b j', -c i' + a j')
//
// With a = b = 1 the loop i' runs over the wavefronts i + j. Names and tags stay at their level;
// "names" may rename the two loops.
// Legal iff verified() accepts it.
// Errors: E0101, E0102, E0103 not found, E0104, E0105 names, E0106 gcd(a, b) is not 1, a factor
// above 10^9, or loops that are not adjacent or step over parametric tiles, E0107 the loops have
// different owners, and verified().
Program skew(const Program& program, const LoopRef& i, const LoopRef& j, std::int64_t a,
             std::int64_t b, const std::vector<std::string>& names = {}, Given given = {});

// The same with all four factors given; E0106 unless a d - b c is 1 or -1.
Program skew(const Program& program, const LoopRef& i, const LoopRef& j, const SkewFactors& factors,
             const std::vector<std::string>& names = {}, Given given = {});

}  // namespace strata
