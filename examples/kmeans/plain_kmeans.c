/* x[d][p]: blocks of points, so that the compiler makes vectors of the points of a block. */
#include "examples/kmeans/plain_kmeans.h"

#include <math.h>

enum { block = 64 };

/* The labels of "width" points from "first" on, at most a block. */
static void find_nearest(int64_t p, int64_t first, int64_t width, int64_t c, int64_t d,
                         const float* restrict x, const float* restrict m,
                         int64_t* restrict label) {
  float least[block];
  int32_t nearest[block];
  for (int64_t n = 0; n < block; ++n) {
    least[n] = INFINITY;
    nearest[n] = 0;
  }
  for (int64_t k = 0; k < c; ++k) {
    float distance[block] = {0};
    for (int64_t e = 0; e < d; ++e) {
      const float *points = x + e * p + first, centre = m[k * d + e];
      for (int64_t n = 0; n < width; ++n)
        distance[n] += (points[n] - centre) * (points[n] - centre);
    }
    for (int64_t n = 0; n < block; ++n) {
      nearest[n] = distance[n] < least[n] ? (int32_t)k : nearest[n];
      least[n] = distance[n] < least[n] ? distance[n] : least[n];
    }
  }
  for (int64_t n = 0; n < width; ++n) label[first + n] = nearest[n];
}

void plain_kmeans(int64_t p, int64_t c, int64_t d, const float* x, const float* m, int64_t* label,
                  int64_t* count, float* centre) {
  int64_t first = 0;
  for (; first + block <= p; first += block) find_nearest(p, first, block, c, d, x, m, label);
  if (first < p) find_nearest(p, first, p - first, c, d, x, m, label);
  for (int64_t k = 0; k < c; ++k) count[k] = 0;
  for (int64_t k = 0; k < c * d; ++k) centre[k] = 0;
  for (int64_t point = 0; point < p; ++point) ++count[label[point]];
  for (int64_t e = 0; e < d; ++e)
    for (int64_t point = 0; point < p; ++point) centre[label[point] * d + e] += x[e * p + point];
  for (int64_t k = 0; k < c; ++k)
    for (int64_t e = 0; e < d; ++e)
      centre[k * d + e] = count[k] ? centre[k * d + e] / (float)count[k] : m[k * d + e];
}
