// The kernel on images without pixels, and around the size of a band.
#include <cstdio>

#include "examples/histogram/histogram_case.h"

using namespace histogram_example;

int main() {
  int failed = 0;
  for (const int threads : {1, 2}) {
    for (const std::int64_t rows : {0, 1, 31, 32, 33, 100}) {
      for (const std::int64_t columns : {0, 1, 17, 300}) {
        strata::Array<std::uint8_t> image = some_image(rows, columns);
        strata::Array<std::int32_t> ours({256}), expected({256});
        by_kernel(threads, image, ours);
        by_hand(image, expected);
        if (same(ours, expected)) continue;
        std::printf("%ld x %ld, %d threads: differs\n", long(rows), long(columns), threads);
        ++failed;
      }
    }
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
