#include <math.h>
#include <stdint.h>

void plain_kernel_correlation(int64_t M, int64_t N, double data[restrict N][M],
                              double corr[restrict M][M], double mean[restrict M],
                              double stddev[restrict M]) {
  const double n = (double)N;
#pragma scop
  for (int64_t j = 0; j < M; ++j) {
    mean[j] = 0;
    for (int64_t i = 0; i < N; ++i) mean[j] += data[i][j];
    mean[j] /= n;
  }
  for (int64_t j = 0; j < M; ++j) {
    stddev[j] = 0;
    for (int64_t i = 0; i < N; ++i) stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    stddev[j] = sqrt(stddev[j] / n);
    stddev[j] = stddev[j] <= 0.1 ? 1 : stddev[j];
  }
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < M; ++j) data[i][j] = (data[i][j] - mean[j]) / (sqrt(n) * stddev[j]);
  for (int64_t i = 0; i < M; ++i) {
    corr[i][i] = 1;
    for (int64_t j = i + 1; j < M; ++j) {
      corr[i][j] = 0;
      for (int64_t k = 0; k < N; ++k) corr[i][j] += data[k][i] * data[k][j];
      corr[j][i] = corr[i][j];
    }
  }
#pragma endscop
}
