// The conversion of a picture from colour to grey.
#pragma once

#include "benchmarks/common/image.h"
#include "cvtcolor.h"

extern "C" void plain_cvtcolor(std::int64_t n, std::int64_t m, const std::uint8_t* in,
                               std::uint8_t* grey);

namespace cvtcolor_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = benchmarks::image_sizes;
  static constexpr double tolerance = 1e-9;
  std::int64_t n, m;
  strata::Array<std::uint8_t> in, grey;

  explicit Case(const std::vector<std::int64_t>& size)
      : n(size[0]), m(size[1]), in(benchmarks::image<std::uint8_t>({n, 3 * m})), grey({n, m}) {}
  double operations() const { return 0; }
  void start() {}
  void plain() { plain_cvtcolor(n, m, in.data(), grey.data()); }
  void strata() { benchmarks::check(cvtcolor(n, m, in, grey)); }
  benchmarks::Results results() const { return {benchmarks::numbers(grey)}; }
};

}  // namespace cvtcolor_benchmark
