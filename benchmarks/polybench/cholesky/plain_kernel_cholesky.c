#include <math.h>
#include <stdint.h>

void plain_kernel_cholesky(int64_t N, double A[restrict N][N]) {
#pragma scop
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      for (int64_t k = 0; k < j; ++k) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int64_t k = 0; k < i; ++k) A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
#pragma endscop
}
