// Two matrices, the kernel's product, and a bound on its error.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "examples/common/random.h"
#include "matmul.h"

namespace matmul_example {

struct Case {
  std::int64_t n, m, k;
  strata::Array<float> a{{n, k}}, b{{k, m}}, c{{n, m}, -1.0f};

  Case(std::int64_t n, std::int64_t m, std::int64_t k) : n(n), m(m), k(k) {
    examples::fill(a, 1);
    examples::fill(b, 2);
  }

  void run() {
    if (matmul(n, m, k, a, b, c) != 0) throw std::runtime_error(strata_last_error());
  }

  // The largest error of an element as a fraction of its bound. A sum of K products of floats, in
  // any order, with or without fused multiply-add, has an error of at most
  //     K u / (1 - K u) * sum_k |a(i, k) b(k, j)|,   u = 2^-24    (Higham 2002, section 3.1)
  // Exact elements count as zero.
  double largest_fraction_of_bound() const {
    const double ku = double(k) / (1 << 24);
    double largest = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < m; ++j) {
        double truth = 0, sum_of_sizes = 0;
        for (std::int64_t p = 0; p < k; ++p) {
          const double product = double(a(i, p)) * double(b(p, j));
          truth += product;
          sum_of_sizes += std::fabs(product);
        }
        const double error = std::fabs(double(c(i, j)) - truth);
        const double part = error == 0 ? 0 : error / (ku / (1 - ku) * sum_of_sizes);
        if (!(part <= largest)) largest = part;
      }
    }
    return largest;
  }
};

}  // namespace matmul_example
