// Images with interleaved channels: a row is red, green, blue, red, .., so the same channel of the
// next pixel is three numbers further on.
#pragma once

#include "benchmarks/common/case.h"
#include "examples/common/random.h"

namespace benchmarks {

// Numbers of rows, and of pixels in a row.
inline const Sizes image_sizes = {{"480x640", {480, 640}}, {"2448x3264", {2448, 3264}}};

// Pseudo-random numbers: 0 .. 255, or 0 <= x < 1 for floats.
template <typename T>
strata::Array<T> image(const std::vector<std::int64_t>& extents) {
  strata::Array<T> result(extents);
  examples::Random random(7);
  for (T& value : result) value = T(random.below(256)) / T(std::is_floating_point_v<T> ? 256 : 1);
  return result;
}

}  // namespace benchmarks
