/* Compiled with -ffast-math: sums in any order, exp of vectors. */
#include "examples/attention/plain_attention.h"

#include <math.h>

/* The scores of query q. */
static void score(int64_t n, int64_t d, const float* q, const float* k, float* row) {
  for (int64_t j = 0; j < n; ++j) {
    float dot = 0;
    for (int64_t x = 0; x < d; ++x) dot += q[x] * k[j * d + x];
    row[j] = dot / sqrtf((float)d);
  }
}

/* Scores become weights, whose sum is returned. */
static float weigh(int64_t n, float* row) {
  float most = n ? row[0] : 0, total = 0;
  for (int64_t j = 0; j < n; ++j) most = row[j] > most ? row[j] : most;
  for (int64_t j = 0; j < n; ++j) total += row[j] = expf(row[j] - most);
  return total;
}

void plain_attention(int64_t n, int64_t d, const float* q, const float* k, const float* v,
                     float* row, float* out) {
  for (int64_t i = 0; i < n; ++i) {
    score(n, d, q + i * d, k, row);
    const float total = weigh(n, row);
    for (int64_t e = 0; e < d; ++e) out[i * d + e] = 0;
    for (int64_t j = 0; j < n; ++j)
      for (int64_t e = 0; e < d; ++e) out[i * d + e] += row[j] * v[j * d + e];
    for (int64_t e = 0; e < d; ++e) out[i * d + e] /= total;
  }
}
