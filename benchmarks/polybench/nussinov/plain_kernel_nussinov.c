#include <stdint.h>

static double larger(double a, double b) { return a >= b ? a : b; }

void plain_kernel_nussinov(int64_t N, const double seq[restrict N], double table[restrict N][N]) {
#pragma scop
  for (int64_t i = N - 1; i >= 0; --i)
    for (int64_t j = i + 1; j < N; ++j) {
      table[i][j] = larger(table[i][j], table[i][j - 1]);
      if (i + 1 < N) {
        table[i][j] = larger(table[i][j], table[i + 1][j]);
        table[i][j] = larger(table[i][j],
                             table[i + 1][j - 1] + (i < j - 1 && seq[i] + seq[j] == 3));
      }
      for (int64_t k = i + 1; k < j; ++k)
        table[i][j] = larger(table[i][j], table[i][k] + table[k + 1][j]);
    }
#pragma endscop
}
