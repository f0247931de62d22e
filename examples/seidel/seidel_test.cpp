// The kernel, bit for bit, on small grids and on grids around the size of a tile.
#include <cstdio>

#include "examples/seidel/seidel_case.h"

using namespace seidel_example;

int main() {
  int failed = 0;
  for (const int threads : {1, 2}) {
    for (const std::int64_t sweeps : {0, 1, 5}) {
      for (const std::int64_t n : {0, 2, 3, 4, 65, 66, 67, 200}) {
        for (const std::int64_t m : {0, 2, 3, 9, 257, 258, 259, 600}) {
          strata::Array<float> ours = some_grid(n, m), expected = ours;
          by_kernel(threads, sweeps, ours);
          by_hand(sweeps, expected);
          if (same_bits(ours, expected)) continue;
          std::printf("T = %ld, N = %ld, M = %ld, %d threads: differs\n", long(sweeps), long(n),
                      long(m), threads);
          ++failed;
        }
      }
    }
  }
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
