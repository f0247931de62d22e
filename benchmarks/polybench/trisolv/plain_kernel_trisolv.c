#include <stdint.h>

void plain_kernel_trisolv(int64_t N, const double L[restrict N][N], double x[restrict N],
                          const double b[restrict N]) {
#pragma scop
  for (int64_t i = 0; i < N; ++i) {
    x[i] = b[i];
    for (int64_t j = 0; j < i; ++j) x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
#pragma endscop
}
