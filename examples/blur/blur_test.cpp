// The kernel on all small picture sizes and around the size of a tile, on 1 and 2 threads.
#include <strata/buffer.h>
#include <strata/runtime.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "blur.h"
#include "examples/blur/blur_error.h"
#include "examples/blur/photo.h"
#include "examples/common/random.h"

namespace {

using strata::Array;
using namespace blur_example;

// Positive pseudo-random numbers: a pattern could hide a wrong tap.
Array<float> picture(std::int64_t n, std::int64_t w) {
  Array<float> in({n, w});
  examples::Random random(12345);
  for (float& value : in) value = (random.signed_unit<float>() + 1) / 2;
  return in;
}

int failures(std::int64_t n, std::int64_t w) {
  const Array<float> in = picture(n, w);
  Array<float> by({std::max<std::int64_t>(n - 2, 0), std::max<std::int64_t>(w - 6, 0)}, -1.0f);
  const int code = blur(n, w, in, by);
  const double error = largest_error(in, by);
  if (code == 0 && error <= error_bound) return 0;
  std::printf("N = %ld, W = %ld: code %d, error %g\n", long(n), long(w), code, error);
  return 1;
}

int failures_of_photos() {
  const Photo small{2, 2, {0, 0, 0, 30, 60, 90, 100, 100, 100, 130, 160, 190}};
  const auto path = std::filesystem::temp_directory_path() / "strata_blur_test.png";
  write_png(small, path);
  const Photo read = read_photo(path);
  std::filesystem::remove(path);
  const Photo large = enlarged(small, 9e-6);
  // The middle of 3 x 3 is the mean of the four.
  const bool good = read.width == 2 && read.height == 2 && read.bytes == small.bytes &&
                    large.width == 3 && large.height == 3 && large.bytes[12] == 65 &&
                    large.bytes[13] == 80 && large.bytes[26] == 190 &&
                    to_photo(to_floats(small)).bytes == small.bytes;
  if (!good) std::printf("photographs do not come back as they were written\n");
  return good ? 0 : 1;
}

}  // namespace

int main() {
  int failed = failures_of_photos();
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    for (std::int64_t n = 0; n <= 17; ++n)
      for (const std::int64_t w : {0, 1, 6, 7, 9, 21, 22, 23, 37, 38, 39, 300})
        failed += failures(n, w);
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
