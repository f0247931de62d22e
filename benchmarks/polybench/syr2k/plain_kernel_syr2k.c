#include <stdint.h>

void plain_kernel_syr2k(int64_t M, int64_t N, const double* alpha, const double* beta,
                        double C[restrict N][N], const double A[restrict N][M],
                        const double B[restrict N][M]) {
#pragma scop
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t j = 0; j <= i; ++j) C[i][j] *= *beta;
    for (int64_t k = 0; k < M; ++k)
      for (int64_t j = 0; j <= i; ++j)
        C[i][j] += A[j][k] * *alpha * B[i][k] + B[j][k] * *alpha * A[i][k];
  }
#pragma endscop
}
