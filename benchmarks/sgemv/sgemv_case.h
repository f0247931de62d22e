// A matrix times a vector.
#pragma once

#include "benchmarks/common/case.h"
#include "examples/common/random.h"
#include "sgemv.h"

extern "C" void plain_sgemv(std::int64_t n, const float* a, const float* x, float* y);

namespace sgemv_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = {
      {"512", {512}}, {"1024", {1024}}, {"4096", {4096}}};
  static constexpr double tolerance = 1e-5;
  std::int64_t n;
  strata::Array<float> a, x, y;

  explicit Case(const std::vector<std::int64_t>& size) : n(size[0]), a({n, n}), x({n}), y({n}) {
    examples::fill(a, 1);
    examples::fill(x, 2);
  }
  double operations() const { return 2.0 * double(n) * double(n); }
  void start() {}
  void plain() { plain_sgemv(n, a.data(), x.data(), y.data()); }
  void strata() { benchmarks::check(sgemv(n, a, x, y)); }
  benchmarks::Results results() const { return {benchmarks::numbers(y)}; }
};

}  // namespace sgemv_benchmark
