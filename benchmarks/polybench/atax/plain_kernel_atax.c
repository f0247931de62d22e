#include <stdint.h>

void plain_kernel_atax(int64_t M, int64_t N, const double A[restrict M][N],
                       const double x[restrict N], double y[restrict N], double tmp[restrict M]) {
#pragma scop
  for (int64_t j = 0; j < N; ++j) y[j] = 0;
  for (int64_t i = 0; i < M; ++i) {
    tmp[i] = 0;
    for (int64_t j = 0; j < N; ++j) tmp[i] += A[i][j] * x[j];
    for (int64_t j = 0; j < N; ++j) y[j] += A[i][j] * tmp[i];
  }
#pragma endscop
}
