// A step with few and many points, around the sizes of vectors and blocks, with centres without
// points and points at the same distance of several.
#include <cstdio>

#include "examples/kmeans/kmeans_case.h"

using kmeans_example::Case;

int main() {
  int failed = 0;
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    for (const std::int64_t p : {0, 1, 2, 15, 16, 63, 64, 65, 4095, 4097, 9000}) {
      for (const std::int64_t c : {1, 2, 7, 40}) {
        for (const std::int64_t d : {1, 2, 5}) {
          Case k(p, c, d);
          k.by_kernel();
          k.by_hand();
          if (k.is_right()) continue;
          std::printf("%ld points, %ld centres, %ld dimensions, %d threads: differs\n", long(p),
                      long(c), long(d), threads);
          ++failed;
        }
      }
    }
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
