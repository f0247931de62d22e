/* Compiled with -ffast-math: the changes are added in vectors. */
#include "examples/heat/plain_heat.h"

#include <string.h>

/* One step; the sum of the squared changes. */
static float step(int64_t n, int64_t m, float r, const float* restrict from, float* restrict to) {
  float all = 0;
  for (int64_t i = 1; i < n - 1; ++i) {
    const float *up = from + (i - 1) * m, *row = from + i * m, *down = from + (i + 1) * m;
    float* out = to + i * m;
    float sum = 0;
    for (int64_t j = 1; j < m - 1; ++j)
      out[j] = row[j] + r * (up[j] + down[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
    for (int64_t j = 1; j < m - 1; ++j) sum += (out[j] - row[j]) * (out[j] - row[j]);
    all += sum;
  }
  return all;
}

void plain_heat(int64_t steps, int64_t n, int64_t m, float r, float* restrict grid,
                float* restrict next, float* restrict change) {
  const size_t bytes = (size_t)(n * m) * sizeof(float);
  if (bytes) memcpy(next, grid, bytes); /* the border never changes */
  for (int64_t t = 0; t < steps; ++t)
    change[t] = t % 2 ? step(n, m, r, next, grid) : step(n, m, r, grid, next);
  if (steps % 2 && bytes) memcpy(grid, next, bytes);
}
