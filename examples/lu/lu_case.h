// A matrix that needs no pivoting, and the factors that the kernel computes.
#pragma once

#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>

#include "examples/common/random.h"
#include "lu.h"

namespace lu_example {

// Each diagonal element is larger than the sum of the others in its row.
inline strata::Array<double> some_matrix(std::int64_t n) {
  strata::Array<double> a({n, n});
  examples::fill(a, 1);
  for (std::int64_t i = 0; i < n; ++i) a(i, i) += double(n) + 1;
  return a;
}

inline void by_kernel(strata::Array<double>& a) {
  if (lu(a.extent(0), a) != 0) throw std::runtime_error(strata_last_error());
}

// The largest |A - L U| as a fraction of its bound. Every element of the computed factors satisfies
//     |A - L U| <= n u / (1 - n u) * |L| |U|,   u = 2^-53    (Higham 2002, theorem 9.3)
// in any order of the updates, with or without fused multiply-add.
inline double largest_fraction_of_bound(const strata::Array<double>& a,
                                        const strata::Array<double>& factors) {
  const std::int64_t n = a.extent(0);
  const double nu = double(n) * std::ldexp(1.0, -53), bound = nu / (1 - nu);
  double largest = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      long double product = 0, sizes = 0;
      for (std::int64_t k = 0; k <= std::min(i, j); ++k) {
        const long double l = k == i ? 1 : factors(i, k), u = factors(k, j);
        product += l * u;
        sizes += std::fabs(l * u);
      }
      const double error = double(std::fabs(a(i, j) - product));
      const double part = error == 0 ? 0 : error / double(bound * sizes);
      if (!(part <= largest)) largest = part;
    }
  return largest;
}

}  // namespace lu_example
