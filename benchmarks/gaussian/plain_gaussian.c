/* Weights 1 4 6 4 1 along a row, then down a column: in[n][w], gx[n][w - 12], gy[n - 4][w - 12]. */
#include <stdint.h>

void plain_gaussian(int64_t n, int64_t w, const float* restrict in, float* restrict gx,
                    float* restrict gy) {
  const int64_t v = w - 12;
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < v; ++j)
      gx[i * v + j] = (in[i * w + j] + 4 * in[i * w + j + 3] + 6 * in[i * w + j + 6] +
                       4 * in[i * w + j + 9] + in[i * w + j + 12]) *
                      (1 / 16.0f);
#pragma omp parallel for
  for (int64_t i = 0; i < n - 4; ++i)
    for (int64_t j = 0; j < v; ++j)
      gy[i * v + j] = (gx[i * v + j] + 4 * gx[(i + 1) * v + j] + 6 * gx[(i + 2) * v + j] +
                       4 * gx[(i + 3) * v + j] + gx[(i + 4) * v + j]) *
                      (1 / 16.0f);
}
