#include <stdint.h>

void plain_kernel_symm(int64_t M, int64_t N, const double* alpha, const double* beta,
                       double C[restrict M][N], const double A[restrict M][M],
                       const double B[restrict M][N]) {
  double below;
#pragma scop
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      below = 0;
      for (int64_t k = 0; k < i; ++k) {
        C[k][j] += *alpha * B[i][j] * A[i][k];
        below += B[k][j] * A[i][k];
      }
      C[i][j] = *beta * C[i][j] + *alpha * B[i][j] * A[i][i] + *alpha * below;
    }
#pragma endscop
}
