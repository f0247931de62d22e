// Arithmetic on index expressions: integers over loop variables and parameters.
#pragma once

#include <cstdint>
#include <optional>

#include "core/expr/expr.h"

namespace strata {

// The same value modulo 2^64, for all data (exactness.h). Multiples of the same term are
// collected ("8 * i0 + i1 + 2"), constants are folded, and a constant added to a minimum or maximum
// is moved into it.
Expr simplified(const Expr& e);

// a - b modulo 2^64, if that is a constant.
std::optional<std::int64_t> constant_difference(const Expr& a, const Expr& b);

// The value of an int64 constant.
std::optional<std::int64_t> as_constant(const Expr& e);
// The truth of a comparison of numbers whose difference is constant, and smaller than 2^63 in Z.
std::optional<bool> as_truth(const Expr& condition);

}  // namespace strata
