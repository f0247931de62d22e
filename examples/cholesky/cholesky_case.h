// A positive definite matrix, and the factor that the kernel computes.
#pragma once

#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>

#include "cholesky.h"
#include "examples/common/random.h"

namespace cholesky_example {

// Symmetric, with each diagonal element larger than the sum of the others in its row.
inline strata::Array<double> some_matrix(std::int64_t n) {
  strata::Array<double> a({n, n});
  examples::fill(a, 1);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) a(i, j) = a(j, i);
    a(i, i) += double(n) + 1;
  }
  return a;
}

inline void by_kernel(strata::Array<double>& a) {
  if (cholesky(a.extent(0), a) != 0) throw std::runtime_error(strata_last_error());
}

// The largest |A - U^T U| in the upper triangle as a fraction of its bound,
//     |A - U^T U| <= (n + 1) u / (1 - (n + 1) u) * |U^T| |U|,  u = 2^-53
// (Higham 2002, theorem 10.3), in any order of the updates. Infinity if anything below the
// diagonal has changed.
inline double largest_fraction_of_bound(const strata::Array<double>& a,
                                        const strata::Array<double>& factor) {
  const std::int64_t n = a.extent(0);
  const double nu = double(n + 1) * std::ldexp(1.0, -53), bound = nu / (1 - nu);
  double largest = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      if (j < i && a(i, j) != factor(i, j)) return HUGE_VAL;
      long double product = 0, sizes = 0;
      for (std::int64_t k = 0; k <= i && j >= i; ++k) {
        const long double term = (long double)factor(k, i) * factor(k, j);
        product += term;
        sizes += std::fabs(term);
      }
      const double error = j < i ? 0 : double(std::fabs(a(i, j) - product));
      const double part = error == 0 ? 0 : error / double(bound * sizes);
      if (!(part <= largest)) largest = part;
    }
  return largest;
}

}  // namespace cholesky_example
