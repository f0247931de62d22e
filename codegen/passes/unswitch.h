// Decides outside of a loop how many iterations of a short unrolled loop inside it run, where this
// does not depend on the loop:
//
//     for k                                  if (c(l + 1)) for k { S(l); S(l + 1) }
//       unrolled j in l .. l + 2       ~>    else if (c(l)) for k { S(l) }
//         if (c(j)) S(j)
//
// c is a conjunction of comparisons of indices that are linear in j and holds for fewer j the
// larger j is. So a register tile that the domain's boundary cuts has code for each number of whole
// vectors, as fast as that of a full tile. k is innermost but for unrolled and vector loops, and a
// reduction: S stores to the same places for all k. If it is alone in the loops around it, c is
// decided outside of them, too. j is the innermost unrolled loop and has at most "most_versions"
// iterations v: (v + 1) / 2 times the code of the loop.
//
// Other guards of unrolled loops stay: the back end nests them (codegen/halide/passes).
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

inline constexpr std::int64_t most_versions = 4;

// In the kernel's body; "compact" stays compact.
Kernel unswitch(const Kernel& kernel);

}  // namespace strata
