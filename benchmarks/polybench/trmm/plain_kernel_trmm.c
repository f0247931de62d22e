#include <stdint.h>

void plain_kernel_trmm(int64_t M, int64_t N, const double* alpha, const double A[restrict M][M],
                       double B[restrict M][N]) {
#pragma scop
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      for (int64_t k = i + 1; k < M; ++k) B[i][j] += A[k][i] * B[k][j];
      B[i][j] *= *alpha;
    }
#pragma endscop
}
