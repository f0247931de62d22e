// Products of matrices on tensor cores, by the 32 threads of a warp together (CUDA's mma.sync).
//
// Halide has no such operation: a product goes through its passes, and its code generator, as the
// call of a function that nothing defines. In the text an instruction takes its place
// (codegen/device/marker_calls.h). The call is pure, so that values loaded for several products are
// loaded once, but not known to return, so that LLVM leaves it where it is. That all threads of a
// warp still meet there is found from the text.
#pragma once

#include <string>
#include <vector>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

bool has_tensor_cores(const Halide::Target& target);

// D = A B + C for the 4 float32 of C and D that a thread has, as a vector. "a" and "b" are the 4
// and 2 words of 32 bits that it brings: each an element of tf32, or two of 16 bits, the first in
// the low half. "shape" is "m16n8k8_tf32", "m16n8k16_bf16" or "m16n8k16_f16".
HExpr matrix_product(const std::string& shape, const std::vector<HExpr>& a,
                     const std::vector<HExpr>& b, const std::vector<HExpr>& c);

// The float32 "value" as an element of tf32: rounded to 10 bits, to nearest, ties away from zero.
HExpr as_tf32(const HExpr& value);

// Is it the function that a product is a call of?
bool is_matrix_product(const std::string& function);

}  // namespace strata::halide
