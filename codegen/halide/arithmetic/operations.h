// The operators of core/expr/expr.h as Halide expressions, with exactly the meaning written there.
//
// Signed integers wrap, while Halide takes signed overflow of 32 and 64 bits for impossible: their
// arithmetic is done on unsigned numbers of the same width.  Floats use Halide's strict operations
// only.
#pragma once

#include <vector>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// "op" on operands of the integer or boolean type "type", in flight.
HExpr integer_operation(Op op, Type type, const std::vector<HExpr>& operands);

// "op" on operands of the float type "type", in flight.  Math functions are calls of strata_expf
// and the like, which are the C library's, under names that the compiler has no own rules for.
HExpr float_operation(Op op, Type type, const std::vector<HExpr>& operands, HalfFloats halves);

// A comparison of two operands of the same type.
HExpr comparison(Op op, Type type, const HExpr& a, const HExpr& b);

// a * b + c, rounded once.  Halide knows no such operation; a call by LLVM's name for it becomes
// one instruction, and LLVM joins the calls on the lanes of a vector into one again.
HExpr fused_multiply_add(const HExpr& a, const HExpr& b, const HExpr& c);

// A cast from "from" to "to".
HExpr converted(Type to, Type from, const HExpr& value, HalfFloats halves);

}  // namespace strata::halide
