// Squares, a case for testing the harness.
#pragma once

#include "benchmarks/common/case.h"

namespace square_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = {{"small", {10}}, {"large", {1000}}};
  static constexpr double tolerance = 1e-6;
  strata::Array<float> in, out;

  explicit Case(const std::vector<std::int64_t>& size) : in({size[0]}), out({size[0]}) {
    for (std::int64_t i = 0; i < size[0]; ++i) in(i) = float(i);
  }
  double operations() const { return double(in.size()); }
  void start() { std::fill(out.begin(), out.end(), -1.0f); }
  benchmarks::Results results() const { return {benchmarks::numbers(out)}; }
};

}  // namespace square_benchmark
