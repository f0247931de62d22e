// The kernel on small, odd and rectangular sizes, and around the sizes of blocks and tiles.
#include <cstdio>
#include <vector>

#include "examples/matmul/matmul_case.h"

int main() {
  struct Size {
    std::int64_t n, m, k;
  };
  std::vector<Size> sizes;
  for (const std::int64_t n : {0, 1, 7, 33, 63, 64, 65, 130}) sizes.push_back({n, n, n});
  sizes.insert(sizes.end(), {{3, 5, 0},
                             {1, 300, 2},
                             {300, 1, 2},
                             {2, 3, 300},
                             {64, 64, 256},
                             {68, 80, 257},
                             {5, 17, 513},
                             {130, 15, 31}});
  int failed = 0;
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    for (const Size& size : sizes) {
      matmul_example::Case product(size.n, size.m, size.k);
      product.run();
      const double part = product.largest_fraction_of_bound();
      if (part <= 1) continue;
      std::printf("%ld x %ld x %ld: %g times the bound\n", long(size.n), long(size.m), long(size.k),
                  part);
      ++failed;
    }
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
