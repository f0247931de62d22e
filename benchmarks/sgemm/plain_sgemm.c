/* c[n][n] = a[n][n] b[n][n], all dense. */
#include <stdint.h>

void plain_sgemm(int64_t n, const float* restrict a, const float* restrict b, float* restrict c) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) c[i * n + j] = 0;
    for (int64_t k = 0; k < n; ++k)
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}
