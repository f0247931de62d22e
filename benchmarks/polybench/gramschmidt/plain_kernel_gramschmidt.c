#include <math.h>
#include <stdint.h>

void plain_kernel_gramschmidt(int64_t M, int64_t N, double A[restrict M][N],
                              double R[restrict N][N], double Q[restrict M][N]) {
  double norm;
#pragma scop
  for (int64_t k = 0; k < N; ++k) {
    norm = 0;
    for (int64_t i = 0; i < M; ++i) norm += A[i][k] * A[i][k];
    R[k][k] = sqrt(norm);
    for (int64_t i = 0; i < M; ++i) Q[i][k] = A[i][k] / R[k][k];
    for (int64_t j = k + 1; j < N; ++j) {
      R[k][j] = 0;
      for (int64_t i = 0; i < M; ++i) R[k][j] += Q[i][k] * A[i][j];
      for (int64_t i = 0; i < M; ++i) A[i][j] -= Q[i][k] * R[k][j];
    }
  }
#pragma endscop
}
