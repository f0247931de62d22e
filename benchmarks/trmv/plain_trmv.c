/* y[n] = a[n][n] x[n], where a is lower triangular. */
#include <stdint.h>

void plain_trmv(int64_t n, const float* restrict a, const float* restrict x, float* restrict y) {
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t i = 0; i < n; ++i) {
    y[i] = 0;
    for (int64_t j = 0; j <= i; ++j) y[i] += a[i * n + j] * x[j];
  }
}
