// The representation of values of each type in registers and in memory.
//
// In flight, a boolean is a Halide Bool and an integer is itself. A float16 or bfloat16 is a
// float32 that the narrow type can represent; rounded() rounds the result of an operation to such a
// value. One such rounding after a float32 operation gives the correctly rounded narrow operation,
// since float32 has at least 2 p + 2 significant bits for the p bits of the narrow type (Figueroa,
// "When is double rounding innocuous?", 1995).
#pragma once

#include <Halide.h>

#include "core/expr/expr.h"

namespace strata::halide {

using HExpr = Halide::Expr;
using HStmt = Halide::Internal::Stmt;
using HType = Halide::Type;

HType type_in_flight(Type type);
HType type_in_memory(Type type);
// The element type that a halide_buffer_t of this type declares.
halide_type_t type_of_buffer(Type type);

// How float16 is converted: by hardware or, if the target has no instructions for that, by
// integers.
enum class HalfFloats { converted_by_hardware, converted_by_bits };

HExpr from_memory(Type type, const HExpr& stored, HalfFloats halves);
HExpr to_memory(Type type, const HExpr& value, HalfFloats halves);
// A float32 result of an operation on values of "type", rounded to that type.
HExpr rounded(Type type, const HExpr& value, HalfFloats halves);

// A constant of the program. NaN and -0 are made from their bits: when Halide looks for equal
// expressions it treats -0 as 0 and NaN as any number.
HExpr constant_in_flight(const ExprNode& constant);
HExpr float_constant(int bits, double value);

// The value's bits as an integer of the same width, and back.
HExpr bits_of(const HExpr& value);
HExpr float_of_bits(const HExpr& bits);

// The float "value", rounded at this point. Otherwise Halide merges a cast to a float and a further
// cast to a narrower float into one cast, which rounds only once. (LLVM drops the multiplication by
// 1.)
HExpr with_own_rounding(const HExpr& value);

// Operations that Halide neither reorders nor contracts, and whose comparisons respect NaN.
HExpr strict(Halide::Internal::Call::IntrinsicOp op, const HExpr& a, const HExpr& b);

// Marks the end of accesses to the memory behind the pointer of this name. Passes see a call, which
// the pass "free early" replaces by Halide's Free.
inline const char* const free_early = "strata.free_early";
HStmt freed_early(const std::string& pointer);

}  // namespace strata::halide
