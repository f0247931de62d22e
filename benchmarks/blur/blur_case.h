// The two-stage blur of examples/blur.
#pragma once

#include "benchmarks/common/image.h"
#include "blur.h"

extern "C" void plain_blur(std::int64_t n, std::int64_t w, const float* in, float* bx, float* by);

namespace blur_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = benchmarks::image_sizes;
  static constexpr double tolerance = 1e-6;
  std::int64_t n, w;
  strata::Array<float> in, bx, by;

  explicit Case(const std::vector<std::int64_t>& size)
      : n(size[0]),
        w(3 * size[1]),
        in(benchmarks::image<float>(n, w)),
        bx({n, w - 6}),
        by({n - 2, w - 6}) {}
  double operations() const { return 0; }
  void start() {}
  void plain() { plain_blur(n, w, in.data(), bx.data(), by.data()); }
  void strata() { benchmarks::check(blur(n, w, in, by)); }
  benchmarks::Results results() const { return {benchmarks::numbers(by)}; }
};

}  // namespace blur_benchmark
