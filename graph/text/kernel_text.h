// Kernels as text.
//
//   kernel @te_func(A: Tensor[(n, k), float32]; m) {
//     B(i0): Tensor[(n), float32] = sum(j in [0, k) : A[i0, j])
//     C(i0): (Tensor[(m), float32], Tensor[(m), int64]) = view (B[i0], i0) assuming m <= n
//     return C_0, C_1
//   }
//
// After ";" come the symbols that a call gives as integers. A reduction of tuples is written
// reduce "name" (k in [0, n)) (contributions) from (identities) by (steps).
#pragma once

#include <string>

#include "core/text_scanner.h"
#include "graph/ir/module.h"

namespace strata::graph {

std::string text_of(const TensorKernel& kernel);

// Reads the kernel at the scanner's position, after the word "kernel". Errors: E0108 with line and
// column, and those of compute and tensor_kernel. "symbols" is the same afterwards.
TensorKernel read_kernel(TextScanner& scanner, ExprNames& symbols, const Where& where);

}  // namespace strata::graph
