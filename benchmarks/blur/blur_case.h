// The two-stage blur of examples/blur.
#pragma once

#include "benchmarks/common/filter.h"
#include "blur.h"

extern "C" benchmarks::PlainFilter plain_blur;

namespace blur_benchmark {

struct Case : benchmarks::FilterCase<plain_blur> {
  explicit Case(const std::vector<std::int64_t>& size) : Case(size[0], 3 * size[1]) {}
  Case(std::int64_t rows, std::int64_t numbers)
      : FilterCase(rows, numbers, {rows, numbers}, {rows, numbers - 6}, {rows - 2, numbers - 6}) {}
  void strata() { benchmarks::check(blur(n, w, in, out)); }
};

}  // namespace blur_benchmark
