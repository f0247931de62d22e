// A 5 x 5 Gaussian filter.
#pragma once

#include "benchmarks/common/image.h"
#include "gaussian.h"

extern "C" void plain_gaussian(std::int64_t n, std::int64_t w, const float* in, float* gx,
                               float* gy);

namespace gaussian_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = benchmarks::image_sizes;
  static constexpr double tolerance = 1e-6;
  std::int64_t n, w;
  strata::Array<float> in, gx, gy;

  explicit Case(const std::vector<std::int64_t>& size)
      : n(size[0]),
        w(3 * size[1]),
        in(benchmarks::image<float>(n, w)),
        gx({n, w - 12}),
        gy({n - 4, w - 12}) {}
  double operations() const { return 0; }
  void start() {}
  void plain() { plain_gaussian(n, w, in.data(), gx.data(), gy.data()); }
  void strata() { benchmarks::check(gaussian(n, w, in, gy)); }
  benchmarks::Results results() const { return {benchmarks::numbers(gy)}; }
};

}  // namespace gaussian_benchmark
