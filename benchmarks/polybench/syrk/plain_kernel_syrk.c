#include <stdint.h>

void plain_kernel_syrk(int64_t M, int64_t N, const double* alpha, const double* beta,
                       double C[restrict N][N], const double A[restrict N][M]) {
#pragma scop
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t j = 0; j <= i; ++j) C[i][j] *= *beta;
    for (int64_t k = 0; k < M; ++k)
      for (int64_t j = 0; j <= i; ++j) C[i][j] += *alpha * A[i][k] * A[j][k];
  }
#pragma endscop
}
