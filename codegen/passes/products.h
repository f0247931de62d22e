// Products on tensor cores.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Replaces the loops of a marked contribution (Execute::mma) by a product of a warp (Mma):
//
//     thread g in 0 .. 8:
//       thread t in 0 .. 4:
//         ..
//         for ri in 0 .. 2:
//           for rj in 0 .. 2:
//             for k in 0 .. K:
//               C[c(g, t, ri, rj)] += A[a(g, ri, k)] * B[b(t, rj, k)]
//
// where all threads of the warp come to it: the tile is full, no condition or bound around depends
// on g or t, and blocks have 4 x 8 threads on axes x and y. By R215, A is a function of the row 8
// ri + g and of k, and B is a function of k and of the column 2 t + rj. So of A(r, k) a thread
// brings what its own iteration (ri, k) reads, and of B(k, g) what thread t = g / 2 reads at rj = g
// % 2. In shared or global memory, several threads of the warp read each of these elements of B in
// the loops too. So some reader is not the writer, and a barrier is between them. If B is in local
// memory, the loops stay, and so do loops elsewhere.
Kernel with_products(const Kernel& kernel);

}  // namespace strata
