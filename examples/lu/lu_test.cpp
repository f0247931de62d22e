// The kernel on small and odd sizes.
#include <cstdio>

#include "examples/lu/lu_case.h"

using namespace lu_example;

int main() {
  int failed = 0;
  for (const int threads : {1, 2}) {
    strata_set_number_of_threads(threads);
    for (const std::int64_t n : {0, 1, 2, 3, 7, 8, 9, 33, 64, 100}) {
      const strata::Array<double> a = some_matrix(n);
      strata::Array<double> factors = a;
      by_kernel(factors);
      const double part = largest_fraction_of_bound(a, factors);
      if (part <= 1) continue;
      std::printf("N = %ld, %d threads: %g times the bound\n", long(n), threads, part);
      ++failed;
    }
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
