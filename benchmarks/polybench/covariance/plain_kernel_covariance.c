#include <stdint.h>

void plain_kernel_covariance(int64_t M, int64_t N, double data[restrict N][M],
                             double cov[restrict M][M], double mean[restrict M]) {
#pragma scop
  for (int64_t j = 0; j < M; ++j) {
    mean[j] = 0;
    for (int64_t i = 0; i < N; ++i) mean[j] += data[i][j];
    mean[j] /= (double)N;
  }
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < M; ++j) data[i][j] -= mean[j];
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = i; j < M; ++j) {
      cov[i][j] = 0;
      for (int64_t k = 0; k < N; ++k) cov[i][j] += data[k][i] * data[k][j];
      cov[i][j] /= (double)(N - 1);
      cov[j][i] = cov[i][j];
    }
#pragma endscop
}
