#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Marks the branches of a sum of products, C += A * B, as products of matrices on tensor cores, of
// the shape named (layers/mma_shape.h):
//
//     tf32   16 x 8 x 8    of float32, which it rounds to 10 bits of fraction
//     bf16   16 x 8 x 16   of bfloat16
//     f16    16 x 8 x 16   of float16
//
// Theta is unchanged. Its innermost loops are those of R215 (layers/verify/verify_products.h),
// which split, interchange and gpu_threads make:
//
//     thread g in 0 .. 8: thread t in 0 .. 4: .. for ri in 0 .. 2: for rj in 0 .. 2: for k: C
//
// with the row 8 ri + g and the column 2 t + rj. Where a tile is full, and the device has tensor
// cores, a warp runs one instruction for its iterations, and the sum's order is the device's; else
// the loops run as they are.
// Errors: E0101 not found; E0204 not scheduled; E0106 no such shape, no such branch (R215).
Program mma(const Program& program, const BranchRef& sum, const std::string& shape,
            Given given = {});

}  // namespace strata
