// Filters of float pictures in two stages: the first along a row, the second down a column.
#pragma once

#include "benchmarks/common/image.h"

namespace benchmarks {

// plain_NAME.c: n rows of w numbers; "between" is the result of the first stage.
using PlainFilter = void(std::int64_t n, std::int64_t w, const float* in, float* between,
                         float* out);

// The case of a filter, without its kernel: a Case derived from it has a constructor and strata().
template <PlainFilter* plain_filter>
struct FilterCase {
  static inline const Sizes sizes = image_sizes;
  static constexpr double tolerance = 1e-6;
  using Extents = std::vector<std::int64_t>;
  std::int64_t n, w;
  strata::Array<float> in, between, out;

  FilterCase(std::int64_t rows, std::int64_t numbers, const Extents& of_in,
             const Extents& of_between, const Extents& of_out)
      : n(rows), w(numbers), in(image<float>(of_in)), between(of_between), out(of_out) {}

  double operations() const { return 0; }
  void start() {}
  void plain() { plain_filter(n, w, in.data(), between.data(), out.data()); }
  Results results() const { return {numbers(out)}; }
};

}  // namespace benchmarks
