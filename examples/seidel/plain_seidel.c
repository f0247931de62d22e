/* Compiled with -ffp-contract=off, so that its results equal the kernel's bit for bit. */
#include "examples/seidel/plain_seidel.h"

#ifdef __clang__
const char plain_seidel_compiler[] = "clang -O3";
#else
const char plain_seidel_compiler[] = "gcc -O3";
#endif

void plain_seidel(int64_t sweeps, int64_t n, int64_t m, float* grid) {
  for (int64_t t = 0; t < sweeps; ++t)
    for (int64_t i = 1; i < n - 1; ++i)
      for (int64_t j = 1; j < m - 1; ++j)
        grid[i * m + j] = (grid[(i - 1) * m + j] + grid[i * m + j] + grid[i * m + j + 1] +
                           grid[(i + 1) * m + j] + grid[i * m + j - 1]) *
                          0.2f;
}
