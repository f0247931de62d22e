// An affine warp of a grey picture: rotation by three degrees with slight enlargement.
#pragma once

#include "benchmarks/common/image.h"
#include "warp.h"

extern "C" void plain_warp(std::int64_t n, std::int64_t m, const float* in, const float* map,
                           float* out);

namespace warp_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = benchmarks::image_sizes;
  static constexpr double tolerance = 1e-2;  // in floats, a position of 3000 has an error of 2^-12
  std::int64_t n, m;
  strata::Array<float> in, map{{2, 3}}, out;

  explicit Case(const std::vector<std::int64_t>& size)
      : n(size[0]), m(size[1]), in(benchmarks::image<float>({n, m})), out({n, m}) {
    const float turn[] = {0.95f, -0.05f, 20.5f, 0.05f, 0.95f, -10.25f};
    std::copy(std::begin(turn), std::end(turn), map.begin());
  }
  double operations() const { return 0; }
  void start() {}
  void plain() { plain_warp(n, m, in.data(), map.data(), out.data()); }
  void strata() { benchmarks::check(warp(n, m, in, map, out)); }
  benchmarks::Results results() const { return {benchmarks::numbers(out)}; }
};

}  // namespace warp_benchmark
