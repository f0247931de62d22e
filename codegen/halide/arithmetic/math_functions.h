// Math functions as calls of runtime/math.c, or of runtime/vector_math.c for whole vectors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// The vector functions of a target: the instruction set in their names, and the size of their
// vectors. No name: the target has none.
struct VectorMath {
  std::string instructions;
  int bytes = 0;
};
VectorMath vector_math_of(const Halide::Target& target);

// op(operands): strata_expf, which is the C library's function under a name for which the compiler
// has no rules of its own, for each lane; or, with vector functions, strata_avx512_expf, which
// with_vector_math replaces.
HExpr math_call(Op op, const std::vector<HExpr>& operands, const VectorMath& vectors);

// The C library's value here, if the call is one of math_call with vector functions, for one lane.
std::optional<double> math_of_constants(const Halide::Internal::Call& call,
                                        const std::vector<double>& operands);

// Rewrites calls of vector functions. A call for one lane becomes the C library's; others become
//     let t = strata_avx512_expf(pointer to x, n) in t[0 .. lanes - 1]
// on a copy x of the argument in memory, filled up with its first lane to n lanes in whole vectors:
// Halide passes vectors to functions of other libraries lane by lane only.
HStmt with_vector_math(const HStmt& statement);

}  // namespace strata::halide
