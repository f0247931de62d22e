// A 5 x 5 unsharp mask of a picture in planes, whose border pixels repeat.
#pragma once

#include "benchmarks/common/image.h"
#include "unsharp.h"

extern "C" void plain_unsharp(std::int64_t n, std::int64_t w, const float* in, float* bx,
                              float* sharp);

namespace unsharp_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = benchmarks::image_sizes;
  static constexpr double tolerance = 1e-6;
  std::int64_t n, w;
  strata::Array<float> in, bx, sharp;

  explicit Case(const std::vector<std::int64_t>& size)
      : n(size[0]), w(size[1]), in({3, n, w}), bx({3, n, w}), sharp({3, n, w}) {
    const strata::Array<float> pixels = benchmarks::image<float>(3 * n, w);
    std::copy(pixels.begin(), pixels.end(), in.begin());
  }
  double operations() const { return 0; }
  void start() {}
  void plain() { plain_unsharp(n, w, in.data(), bx.data(), sharp.data()); }
  void strata() { benchmarks::check(unsharp(n, w, in, sharp)); }
  benchmarks::Results results() const { return {benchmarks::numbers(sharp)}; }
};

}  // namespace unsharp_benchmark
