// How far two permitted evaluations of floats may lie apart.
#pragma once

#include <functional>

#include "tests/judge/array.h"

namespace strata::judge {

// The distance from 1 to the next larger value: 2^-23 for float32.
double epsilon(Type type);

// A bound on |a - b| for two results a, b of adding n terms whose absolute values add up to
// "magnitude", each in any order and with or without fused multiply-add.  Each is within
// (n - 1) * epsilon / 2 * magnitude of the exact sum, to first order, and the rounding of products
// before they are added, where one is fused and the other not, is the n-th term.
double sum_bound(Type type, std::int64_t n, double magnitude);

// |a - b| where the distance counts, 0 where both are the same (NaN and infinities too), and
// infinity where only one is NaN.
double distance(const Scalar& a, const Scalar& b);

// The first element further off than its bound, told as text, or "" if there is none.
std::string first_beyond(const Array& expected, const Array& actual,
                         const std::function<double(const Point&)>& bound);
// The same bound for all elements.
std::string first_beyond(const Array& expected, const Array& actual, double bound);

}  // namespace strata::judge
