// Products of matrices on tensor cores, by the 32 threads of a warp together (CUDA's mma.sync).
//
// Halide has no such operation. A product goes through its passes and its code generator as the
// call of a function that nothing defines; in the text an instruction replaces the call
// (codegen/device/marker_calls.h). The call is pure, so that values for several products are loaded
// once. It is not known to return, so that LLVM does not move it. The text is checked: all threads
// of a warp must still meet there.
#pragma once

#include <string>
#include <vector>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

bool has_tensor_cores(const Halide::Target& target);

// D = A B + C, for the 4 float32 of C and D that belong to a thread, as a vector. "a" and "b" are
// the thread's 4 and 2 words of 32 bits. Each word is an element of tf32, or two elements of 16
// bits, the first in the low half. "shape" is "m16n8k8_tf32", "m16n8k16_bf16" or "m16n8k16_f16".
HExpr matrix_product(const std::string& shape, const std::vector<HExpr>& a,
                     const std::vector<HExpr>& b, const std::vector<HExpr>& c);

// The float32 "value" as an element of tf32: rounded to 10 bits, to nearest, ties away from zero.
HExpr as_tf32(const HExpr& value);

// True for the function that a product calls.
bool is_matrix_product(const std::string& function);

}  // namespace strata::halide
