// The kernel on matrices of all shapes, with empty rows and without rows, and on an invalid one.
#include <cstdio>

#include "examples/spmm/spmm_case.h"

using spmm_example::Case;

int main() {
  int failed = 0;
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    for (const std::int64_t n : {0, 1, 31, 32, 33, 100}) {
      for (const std::int64_t m : {0, 1, 15, 16, 17, 64, 65, 130}) {
        for (const std::int64_t mean : {0, 1, 7}) {
          Case c(n, 50, m, mean);
          c.by_kernel();
          c.by_hand();
          if (c.is_right()) continue;
          std::printf("%ld x %ld, %ld entries a row, %d threads: differs\n", long(n), long(m),
                      long(mean), threads);
          ++failed;
        }
      }
    }
  }
  Case broken(100, 50, 17, 7);
  broken.col(123) = 50;
  if (broken.run() != strata_error_index_out_of_range) {
    std::printf("a column outside the matrix is not reported\n");
    ++failed;
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
