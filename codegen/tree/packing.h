// Boxes of which only places at regular distances exist.
#pragma once

#include <algorithm>
#include <cstdint>

namespace strata {

// Along one dimension the indices  lower + period q + r, 0 <= r < width. As a thread that has
// every eighth pair of columns: period 8, width 2.
struct Packing {
  std::int64_t period = 1, width = 1;
};

// The number of these indices among "extent" ones.
inline std::int64_t packed_extent(std::int64_t extent, const Packing& packing) {
  if (extent <= 0) return extent;
  const std::int64_t last = extent - 1;
  return last / packing.period * packing.width + std::min(last % packing.period + 1, packing.width);
}

}  // namespace strata
