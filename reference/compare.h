// How much two permitted evaluations of floats may differ.
#pragma once

#include <functional>

#include "reference/array.h"

namespace strata::reference {

// The distance from 1 to the next larger value: 2^-23 for float32.
double epsilon(Type type);

// A bound on |a - b| for two results a, b of adding n terms whose absolute values add up to
// "magnitude", each in any order and with or without fused multiply-add. To first order, each
// result is within (n-1) * epsilon / 2 * magnitude of the exact sum; the n-th term covers the
// rounding of products before they are added, where one side fuses and the other does not.
double sum_bound(Type type, std::int64_t n, double magnitude);

// |a - b|; 0 if both are the same (also NaN and infinities), infinity if only one is NaN.
double distance(const Scalar& a, const Scalar& b);

// Describes the first element whose distance exceeds its bound, or returns "".
std::string first_beyond(const Array& expected, const Array& actual,
                         const std::function<double(const Point&)>& bound);
// The same bound for all elements.
std::string first_beyond(const Array& expected, const Array& actual, double bound);

}  // namespace strata::reference
