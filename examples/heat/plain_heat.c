#include "examples/heat/plain_heat.h"

#include <string.h>

void plain_heat(int64_t steps, int64_t n, int64_t m, float r, float* restrict grid,
                float* restrict next, float* restrict change) {
  for (int64_t t = 0; t < steps; ++t) {
    float all = 0;
    for (int64_t i = 1; i < n - 1; ++i) {
      const float *up = grid + (i - 1) * m, *row = grid + i * m, *down = grid + (i + 1) * m;
      float* out = next + i * m;
      float sum = 0;
      for (int64_t j = 1; j < m - 1; ++j)
        out[j] = row[j] + r * (up[j] + down[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
      for (int64_t j = 1; j < m - 1; ++j) sum += (out[j] - row[j]) * (out[j] - row[j]);
      all += sum;
    }
    for (int64_t i = 1; i < n - 1; ++i)
      if (m > 2) memcpy(grid + i * m + 1, next + i * m + 1, (size_t)(m - 2) * sizeof(float));
    change[t] = all;
  }
}
