// Math functions as calls of runtime/math.c, or of runtime/vector_math.c for whole vectors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// The vector functions of a target: the instruction set in their names, the size of their vectors
// (0: only exp of float32 has vectors), and whether the instructions have fused multiply-adds. An
// empty instruction set: the target has no such functions.
struct VectorMath {
  std::string instructions;
  int bytes = 0;
  bool fused = false;
};
VectorMath vector_math_of(const Halide::Target& target);

// op(operands). For each lane this is strata_expf: the C library's function, under a name for which
// the compiler has no rules of its own. With vector functions it is strata_avx512_expf, which
// with_vector_math replaces.
HExpr math_call(Op op, const std::vector<HExpr>& operands, const VectorMath& vectors);

// The C library's value here, if the call is one of math_call with vector functions, for one lane.
std::optional<double> math_of_constants(const Halide::Internal::Call& call,
                                        const std::vector<double>& operands);

// Rewrites calls of vector functions. A call for one lane becomes the C library's, and exp of
// float32 becomes code (exponential.h). Other calls become
//     let t = strata_avx512_logf(pointer to x, n) in t[0 .. lanes - 1]
// where x is a copy of the argument in memory. It is filled up with its first lane to n lanes,
// which are whole vectors. Halide would pass vectors to functions of other libraries only lane by
// lane.
HStmt with_vector_math(const HStmt& statement);

}  // namespace strata::halide
