/* The idea of the schedule by hand: strips of rows run in parallel, bx has no array, and within a
 * strip each row mean is computed once. */
#include "examples/blur/by_hand.h"

enum { strip_rows = 6 };

static inline float row_mean(const float* in) { return (in[0] + in[3] + in[6]) / 3.0f; }

static void full_strip(int64_t w, const float* in, float* by) {
#pragma omp simd
  for (int64_t j = 0; j < w - 6; ++j) {
    float bx[strip_rows + 2];
    for (int r = 0; r < strip_rows + 2; ++r) bx[r] = row_mean(in + r * w + j);
    for (int r = 0; r < strip_rows; ++r)
      by[r * (w - 6) + j] = (bx[r] + bx[r + 1] + bx[r + 2]) / 3.0f;
  }
}

static void one_row(int64_t w, const float* in, float* by) {
#pragma omp simd
  for (int64_t j = 0; j < w - 6; ++j)
    by[j] = (row_mean(in + j) + row_mean(in + w + j) + row_mean(in + 2 * w + j)) / 3.0f;
}

void openmp_blur(int threads, int64_t n, int64_t w, const float* in, float* by) {
  const int64_t strips = n > 2 ? (n - 2) / strip_rows : 0;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t s = 0; s < strips; ++s)
    full_strip(w, in + s * strip_rows * w, by + s * strip_rows * (w - 6));
  for (int64_t i = strips * strip_rows; i < n - 2; ++i) one_row(w, in + i * w, by + i * (w - 6));
}
