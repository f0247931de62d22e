// The error of a blurred picture.
#pragma once

#include <strata/buffer.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace blur_example {

// The largest relative error that the kernel may have. Each operation rounds by a factor 1 + d,
// |d| <= u = 2^-24, and all numbers are non-negative, so nothing cancels. In each of the two
// stages a number goes through two additions and a product with 1 / 3, which is itself rounded:
//     (1 + u)^8 - 1 < 8.001 u
// Fused multiply-adds, if the blur had any, would round less often.
inline constexpr double error_bound = 8.001 / (1 << 24);

// The largest relative error of "by", compared with sums in double precision. Infinite if a result
// that should be zero is not.
inline double largest_error(const strata::Array<float>& in, const strata::Array<float>& by) {
  const auto row_sum = [&](std::int64_t i, std::int64_t w) {
    return double(in(i, w)) + double(in(i, w + 3)) + double(in(i, w + 6));
  };
  double largest = 0;
  for (std::int64_t k = 0; k < by.extent(0); ++k) {
    for (std::int64_t w = 0; w < by.extent(1); ++w) {
      const double truth = (row_sum(k, w) + row_sum(k + 1, w) + row_sum(k + 2, w)) / 9;
      const double error = std::fabs(double(by(k, w)) - truth);
      if (error == 0) continue;
      const double relative = truth == 0 ? std::numeric_limits<double>::infinity() : error / truth;
      if (!(relative <= largest)) largest = relative;
    }
  }
  return largest;
}

}  // namespace blur_example
