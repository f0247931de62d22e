/* y[n] = a[n][n] x[n]. */
#include <stdint.h>

void plain_sgemv(int64_t n, const float* restrict a, const float* restrict x, float* restrict y) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    y[i] = 0;
    for (int64_t j = 0; j < n; ++j) y[i] += a[i * n + j] * x[j];
  }
}
