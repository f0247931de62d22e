// An image, and its histogram computed by the kernel and by hand.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <algorithm>
#include <stdexcept>

#include "examples/common/random.h"
#include "examples/histogram/plain_histogram.h"
#include "histogram.h"

namespace histogram_example {

inline strata::Array<std::uint8_t> some_image(std::int64_t rows, std::int64_t columns) {
  strata::Array<std::uint8_t> image({rows, columns});
  examples::Random random(12345);
  for (std::uint8_t& pixel : image) {
    const std::int64_t root = random.below(256);
    pixel = std::uint8_t(root * root / 256);  // dark pixels are more frequent
  }
  return image;
}

inline void by_kernel(int threads, strata::Array<std::uint8_t>& image,
                      strata::Array<std::int32_t>& hist) {
  strata_set_number_of_threads(threads);
  if (histogram(image.extent(0), image.extent(1), image, hist) != 0)
    throw std::runtime_error(strata_last_error());
}

inline void by_hand(const strata::Array<std::uint8_t>& image, strata::Array<std::int32_t>& hist) {
  plain_histogram(std::int64_t(image.size()), image.data(), hist.data());
}

inline bool same(const strata::Array<std::int32_t>& a, const strata::Array<std::int32_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace histogram_example
