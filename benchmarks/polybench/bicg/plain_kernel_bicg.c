#include <stdint.h>

void plain_kernel_bicg(int64_t M, int64_t N, const double A[restrict N][M], double s[restrict M],
                       double q[restrict N], const double p[restrict M],
                       const double r[restrict N]) {
#pragma scop
  for (int64_t j = 0; j < M; ++j) s[j] = 0;
  for (int64_t i = 0; i < N; ++i) {
    q[i] = 0;
    for (int64_t j = 0; j < M; ++j) {
      s[j] += r[i] * A[i][j];
      q[i] += A[i][j] * p[j];
    }
  }
#pragma endscop
}
