#include <stdint.h>

static double larger(double a, double b) { return a >= b ? a : b; }

void plain_kernel_nussinov(int64_t N, const double seq[restrict N], double table[restrict N][N]) {
#pragma scop
  for (int64_t r = 0; r < N; ++r)
    for (int64_t j = N - r; j < N; ++j) {
      table[N - 1 - r][j] = larger(table[N - 1 - r][j], table[N - 1 - r][j - 1]);
      if (r > 0) {
        table[N - 1 - r][j] = larger(table[N - 1 - r][j], table[N - r][j]);
        table[N - 1 - r][j] = larger(
            table[N - 1 - r][j], table[N - r][j - 1] + (N - r < j && seq[N - 1 - r] + seq[j] == 3));
      }
      for (int64_t k = N - r; k < j; ++k)
        table[N - 1 - r][j] = larger(table[N - 1 - r][j], table[N - 1 - r][k] + table[k + 1][j]);
    }
#pragma endscop
}
