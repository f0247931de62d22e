/* Means of three neighbours along a row, then down a column: in[n][w], bx[n][w - 6],
   by[n - 2][w - 6]. */
#include <stdint.h>

void plain_blur(int64_t n, int64_t w, const float* restrict in, float* restrict bx,
                float* restrict by) {
  const int64_t v = w - 6;
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < v; ++j)
      bx[i * v + j] = (in[i * w + j] + in[i * w + j + 3] + in[i * w + j + 6]) / 3.0f;
#pragma omp parallel for
  for (int64_t i = 0; i < n - 2; ++i)
    for (int64_t j = 0; j < v; ++j)
      by[i * v + j] = (bx[i * v + j] + bx[(i + 1) * v + j] + bx[(i + 2) * v + j]) / 3.0f;
}
