// Keeps places in registers that a loop updates in each iteration. For a loop over k around
// unrolled and vector loops over t of constant extents,
//     for k { for t { B[p(t)] = value(k, t, B[p(t)]) } }
//     ~>  if the loop runs {
//           for t { R[t] = B[p(t)] }   for k { for t { R[t] = value(k, t, R[t]) } }
//           for t { B[p(t)] = R[t] }
//         }
// where the place p(t) does not depend on k and differs for each t. The loop may read other places
// of B if one of their indices is always smaller, or always larger, than that of each p(t), as in
//     a[i, j] -= a[i, k] a[k, j]    for k < i, j
// B is not on the stack: buffers there live in registers anyway, where they can. Of
// other buffers, LLVM keeps single places only: it cannot know that rows of a buffer, a parametric
// stride apart, do not overlap.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// The largest size of the places to keep: no CPU has registers for more.
inline constexpr std::int64_t most_bytes_kept = 4096;

Kernel keep(const Kernel& kernel);

}  // namespace strata
