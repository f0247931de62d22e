// The kernel on pictures of every small size and around the size of a tile, and without pixels.
#include <cstdio>

#include "examples/unsharp/unsharp_case.h"

using unsharp_example::Case;

int main() {
  int failed = 0;
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 11, 13, 60}) {
      for (const std::int64_t w : {0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 33, 100}) {
        Case c(n, w);
        c.by_kernel();
        c.by_hand();
        if (c.is_right()) continue;
        std::printf("%ld x %ld, %d threads: differs\n", long(n), long(w), threads);
        ++failed;
      }
    }
  }
  Case empty(0, 5);
  if (unsharp(0, 5, empty.in, empty.sharp) != strata_error_assumption) {
    std::printf("a picture without rows is not refused\n");
    ++failed;
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
