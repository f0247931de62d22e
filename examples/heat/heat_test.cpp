// The kernel without steps, on grids without an interior, and around the sizes of vectors and
// strips.
#include <cstdio>

#include "examples/heat/heat_case.h"

using heat_example::Case;

int main() {
  int failed = 0;
  for (const int threads : {1, 4}) {
    strata_set_number_of_threads(threads);
    for (const std::int64_t steps : {0, 1, 2, 3, 10, 33, 70}) {
      for (const std::int64_t n : {0, 1, 2, 3, 4, 31, 32, 33, 70}) {
        for (const std::int64_t m : {0, 1, 2, 3, 4, 17, 18, 66, 100}) {
          Case c(steps, n, m);
          c.by_kernel();
          c.by_hand();
          if (c.is_right()) continue;
          std::printf("T = %ld, N = %ld, M = %ld, %d threads: differs\n", long(steps), long(n),
                      long(m), threads);
          ++failed;
        }
      }
    }
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
