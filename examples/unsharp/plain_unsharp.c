/* sharp = 2 in - blurred, the weights 1 4 6 4 1 along a row, then down a column, border pixels
   repeated: in[3][n][w], bx[3][n][w], sharp[3][n][w]. */
#include "examples/unsharp/plain_unsharp.h"

static int64_t within(int64_t value, int64_t size) {
  return value < 0 ? 0 : value < size ? value : size - 1;
}

static float blurred(const float* row, int64_t x, int64_t w) {
  return (row[within(x - 2, w)] + 4 * row[within(x - 1, w)] + 6 * row[x] +
          4 * row[within(x + 1, w)] + row[within(x + 2, w)]) *
         (1 / 16.0f);
}

static void blur_row(int64_t w, const float* restrict row, float* restrict out) {
  for (int64_t x = 0; x < w && x < 2; ++x) out[x] = blurred(row, x, w);
  for (int64_t x = 2; x < w - 2; ++x)
    out[x] = (row[x - 2] + 4 * row[x - 1] + 6 * row[x] + 4 * row[x + 1] + row[x + 2]) * (1 / 16.0f);
  for (int64_t x = w - 2 < 2 ? 2 : w - 2; x < w; ++x) out[x] = blurred(row, x, w);
}

void plain_unsharp(int64_t n, int64_t w, const float* restrict in, float* restrict bx,
                   float* restrict sharp) {
#pragma omp parallel for
  for (int64_t r = 0; r < 3 * n; ++r) blur_row(w, in + r * w, bx + r * w);
#pragma omp parallel for
  for (int64_t r = 0; r < 3 * n; ++r) {
    const int64_t first = r / n * n, y = r - first;
    const float *a = bx + (first + within(y - 2, n)) * w, *b = bx + (first + within(y - 1, n)) * w,
                *c = bx + r * w, *d = bx + (first + within(y + 1, n)) * w,
                *e = bx + (first + within(y + 2, n)) * w;
    for (int64_t x = 0; x < w; ++x)
      sharp[r * w + x] =
          2 * in[r * w + x] - (a[x] + 4 * b[x] + 6 * c[x] + 4 * d[x] + e[x]) * (1 / 16.0f);
  }
}
