/* out[n][m](i, j) = in[n][m] at row y, column x, bilinear, by the affine map[2][3]. */
#include <math.h>
#include <stdint.h>

static inline int64_t inside(int64_t at, int64_t n) { return at < 0 ? 0 : at < n ? at : n - 1; }

void plain_warp(int64_t n, int64_t m, const float* restrict in, const float* restrict map,
                float* restrict out) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j) {
      const float y = map[0] * (float)(int32_t)i + map[1] * (float)(int32_t)j + map[2];
      const float x = map[3] * (float)(int32_t)i + map[4] * (float)(int32_t)j + map[5];
      const float top = floorf(y), left = floorf(x), dy = y - top, dx = x - left;
      const int64_t y0 = inside((int32_t)top, n) * m, y1 = inside((int32_t)top + 1, n) * m;
      const int64_t x0 = inside((int32_t)left, m), x1 = inside((int32_t)left + 1, m);
      out[i * m + j] = (in[y0 + x0] * (1 - dx) + in[y0 + x1] * dx) * (1 - dy) +
                       (in[y1 + x0] * (1 - dx) + in[y1 + x1] * dx) * dy;
    }
}
