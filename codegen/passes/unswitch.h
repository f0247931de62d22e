// Decides outside of a loop how many iterations of a short unrolled loop inside it run, if this
// number does not depend on the outer loop:
//
//     for k                                  if (c(l + 1)) for k { S(l); S(l + 1) }
//       unrolled j in l .. l + 2       ~>    else if (c(l)) for k { S(l) }
//         if (c(j)) S(j)
//
// c is a conjunction of comparisons of indices. It is linear in j, and c(j + 1) implies c(j). So a
// register tile that the domain's boundary cuts has code for each number of whole vectors, as fast
// as the code of a full tile. The loop over k is a reduction: S stores to the same places for all
// k. It has nothing else in its body, and no loop inside remains a loop in the code. If loops
// around k have nothing else in their bodies, c is decided outside of these loops too. j, the
// innermost unrolled loop, has v <= most_versions iterations; the versions together have
// (v + 1) / 2 times the code of the loop.
//
// Other guards of unrolled loops stay: the back end nests them (codegen/halide/passes).
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

inline constexpr std::int64_t most_versions = 4;

// Changes the kernel's body; its "fallback" stays.
Kernel unswitch(const Kernel& kernel);

}  // namespace strata
