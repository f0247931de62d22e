// A brightened and a negative version of a picture.
#pragma once

#include "benchmarks/common/image.h"
#include "nb.h"

extern "C" void plain_nb(std::int64_t n, std::int64_t w, const std::uint8_t* in,
                         std::uint16_t* scaled, std::uint8_t* bright, std::uint8_t* opposite,
                         std::uint8_t* negative);

namespace nb_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = benchmarks::image_sizes;
  static constexpr double tolerance = 1e-9;
  std::int64_t n, w;
  strata::Array<std::uint8_t> in, bright, opposite, negative;
  strata::Array<std::uint16_t> scaled;

  explicit Case(const std::vector<std::int64_t>& size)
      : n(size[0]),
        w(3 * size[1]),
        in(benchmarks::image<std::uint8_t>({n, w})),
        bright({n, w}),
        opposite({n, w}),
        negative({n, w}),
        scaled({n, w}) {}
  double operations() const { return 0; }
  void start() {}
  void plain() {
    plain_nb(n, w, in.data(), scaled.data(), bright.data(), opposite.data(), negative.data());
  }
  void strata() { benchmarks::check(nb(n, w, in, bright, negative)); }
  benchmarks::Results results() const {
    return {benchmarks::numbers(bright), benchmarks::numbers(negative)};
  }
};

}  // namespace nb_benchmark
