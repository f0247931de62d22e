// Keeps in registers what a loop updates in memory in each iteration: for a loop over k around
// unrolled and vector loops over t, whose extents are constant,
//     for k { for t { B[p(t)] = value(k, t, B[p(t)]) } }
//     ~>  if the loop runs {
//           for t { R[t] = B[p(t)] }   for k { for t { R[t] = value(k, t, R[t]) } }
//           for t { B[p(t)] = R[t] }
//         }
// where the place p(t) does not depend on k, is another one for each t, and the loop touches no
// other place of B. B is not on the stack: what is there lives in registers where it can. LLVM does
// this for single places only: it cannot know that rows of a buffer, a parametric stride apart, do
// not overlap.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Most bytes of the places that are kept; more would not be in registers on any CPU.
inline constexpr std::int64_t most_bytes_kept = 4096;

Kernel keep(const Kernel& kernel);

}  // namespace strata
