// Products on tensor cores.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Puts the loops of a marked contribution (Execute::mma) into a product of a warp (Mma):
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
// on g or t, and blocks have 4 x 8 threads on axes x and y. By R215, A is a function of the row
// 8 ri + g and of k, and B one of k and of the column 2 t + rj; so what a thread has to bring of
// A(r, k) is what its own iteration (ri, k) reads, and of B(k, g) what t = g / 2 reads at rj = g
// % 2. In shared or global memory several threads of the warp read each of these elements of B in
// the loops, too, so another thread than its writer does, and a barrier is between. B in local
// memory runs as loops. Loops elsewhere stay as they are.
Kernel with_products(const Kernel& kernel);

}  // namespace strata
