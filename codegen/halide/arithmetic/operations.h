// The operators of core/expr/expr.h as Halide expressions, with exactly the meaning defined there.
//
// Signed integers wrap, but Halide assumes that signed 32-bit and 64-bit integers do not overflow.
// So their arithmetic is done on unsigned numbers of the same width. Floats use only Halide's
// strict operations.
#pragma once

#include <vector>

#include "codegen/halide/arithmetic/math_functions.h"
#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// "op" on operands of the integer or boolean type "type", in flight.
HExpr integer_operation(Op op, Type type, const std::vector<HExpr>& operands);

// "op" on operands of the float type "type", in flight. Math functions of vectors are those of
// "vectors", if there are any; others are the C library's (math_functions.h).
HExpr float_operation(Op op, Type type, const std::vector<HExpr>& operands, HalfFloats halves,
                      const VectorMath& vectors = {});

// A comparison of two operands of the same type.
HExpr comparison(Op op, Type type, const HExpr& a, const HExpr& b);

// a * b + c, rounded once. Halide has no such operation, so this calls the LLVM intrinsic, which
// becomes one instruction. LLVM joins the calls for the lanes of a vector into one again.
HExpr fused_multiply_add(const HExpr& a, const HExpr& b, const HExpr& c);

// A cast from "from" to "to".
HExpr converted(Type to, Type from, const HExpr& value, HalfFloats halves);

}  // namespace strata::halide
