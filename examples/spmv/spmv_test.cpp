// The kernel on matrices of all shapes, with empty rows and without rows, and on an invalid one.
#include <cstdio>

#include "examples/spmv/spmv_case.h"

using spmv_example::Case;

int main() {
  int failed = 0;
  for (const int threads : {1, 2}) {
    for (const std::int64_t n : {0, 1, 255, 256, 257, 1000}) {
      for (const std::int64_t mean : {0, 1, 7}) {
        Case c(n, 50, mean);
        strata::Array<float> expected({n});
        c.by_kernel(threads);
        c.by_hand(expected);
        if (c.is_close_to(expected)) continue;
        std::printf("%ld rows of about %ld, %d threads: differs\n", long(n), long(mean), threads);
        ++failed;
      }
    }
  }
  Case broken(1000, 50, 7);
  broken.col(1234) = 50;
  const int code =
      spmv(1000, 50, broken.col.extent(0), broken.row, broken.col, broken.val, broken.x, broken.y);
  if (code != strata_error_index_out_of_range) {
    std::printf("a column outside the vector is not reported\n");
    ++failed;
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
