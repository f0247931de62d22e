// A triangular matrix times a vector.
#pragma once

#include "benchmarks/common/case.h"
#include "examples/common/random.h"
#include "trmv.h"

extern "C" void plain_trmv(std::int64_t n, const float* a, const float* x, float* y);

namespace trmv_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = {
      {"512", {512}}, {"2048", {2048}}, {"8192", {8192}}};
  static constexpr double tolerance = 1e-5;
  std::int64_t n;
  strata::Array<float> a, x, y;

  explicit Case(const std::vector<std::int64_t>& size) : n(size[0]), a({n, n}), x({n}), y({n}) {
    examples::fill(a, 1);
    examples::fill(x, 2);
  }
  double operations() const { return double(n) * double(n + 1); }
  void start() {}
  void plain() { plain_trmv(n, a.data(), x.data(), y.data()); }
  void strata() { benchmarks::check(trmv(n, a, x, y)); }
  benchmarks::Results results() const { return {benchmarks::numbers(y)}; }
};

}  // namespace trmv_benchmark
