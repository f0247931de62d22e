// Interval arithmetic: where the results of integer operations lie, in the mathematical sense.
#pragma once

#include <optional>
#include <vector>

#include "core/expr.h"

namespace strata {

// Wide enough for any product of two numbers of 64 bits.
using Wide = __int128;

// The integers from lowest to highest.
struct Interval {
  Wide lowest, highest;
};

// The smallest that holds all of these, of which there is one at least.
Interval hull(const std::vector<Wide>& ends);

// The results of an operation of two operands on any values of these: add, sub, mul, min, max, and
// floor division and its remainder, where a division by zero may have any result that is no larger
// than the dividend.  Nothing for another operation.
std::optional<Interval> combined(Op op, const Interval& a, const Interval& b);

// Is it an integer literal greater than zero?
bool is_positive_constant(const Expr& e);

}  // namespace strata
