// A 5 x 5 Gaussian filter.
#pragma once

#include "benchmarks/common/filter.h"
#include "gaussian.h"

extern "C" benchmarks::PlainFilter plain_gaussian;

namespace gaussian_benchmark {

struct Case : benchmarks::FilterCase<plain_gaussian> {
  explicit Case(const std::vector<std::int64_t>& size) : Case(size[0], 3 * size[1]) {}
  Case(std::int64_t rows, std::int64_t numbers)
      : FilterCase(rows, numbers, {rows, numbers}, {rows, numbers - 12}, {rows - 4, numbers - 12}) {
  }
  void strata() { benchmarks::check(gaussian(n, w, in, out)); }
};

}  // namespace gaussian_benchmark
