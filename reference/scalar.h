// Values as the judges compute them: a type and its bits.
//
// Everything here follows the definitions in core/expr/expr.h only, without the arithmetic of core
// or codegen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/type.h"

namespace strata::reference {

// Integers: two's complement, cut to the type's width. Floats: the type's IEEE bit pattern.
// Booleans: 0 or 1. Bits above the width are zero, so equal bits are equal values (for floats
// except 0 and -0, and NaN).
struct Scalar {
  Type type = Type::int64;
  std::uint64_t bits = 0;
};

Scalar integer_scalar(Type type, __int128 value);  // wraps; for a boolean: value != 0
Scalar real_scalar(Type type, double value);       // rounds to nearest, ties to even
Scalar truth(bool value);

// The value of an integer or boolean (a uint64 is not negative), of a float, of either.
__int128 integer_of(const Scalar& a);
double real_of(const Scalar& a);
double number_of(const Scalar& a);

// Bit for bit, with all NaNs equal.
bool same(const Scalar& a, const Scalar& b);
std::string to_string(const Scalar& a);

// Applies "op" to concrete operands, with a result of "type"; for every Op whose operands are all
// values (so not select, which evaluates one side only).
Scalar apply(Op op, Type type, const std::vector<Scalar>& args);
Scalar cast_to(Type type, const Scalar& a);
// The initial value of a reduction: 0, 1, the largest, the smallest value (for a float an
// infinity), false (any), true (all).
Scalar identity(Reduction reduction, Type type);
// One step of a reduction: "a" is the value so far.
Scalar combined(Reduction reduction, const Scalar& a, const Scalar& b);

}  // namespace strata::reference
