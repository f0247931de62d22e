#include "examples/kmeans/plain_kmeans.h"

#include <math.h>

static int64_t nearest(int64_t p, int64_t point, int64_t c, int64_t d, const float* x,
                       const float* m) {
  float least = INFINITY;
  int64_t label = 0;
  for (int64_t k = 0; k < c; ++k) {
    float distance = 0;
    for (int64_t e = 0; e < d; ++e) {
      const float difference = x[e * p + point] - m[k * d + e];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      label = k;
    }
  }
  return label;
}

void plain_kmeans(int64_t p, int64_t c, int64_t d, const float* x, const float* m, int64_t* label,
                  int64_t* count, float* centre) {
  for (int64_t k = 0; k < c; ++k) count[k] = 0;
  for (int64_t k = 0; k < c * d; ++k) centre[k] = 0;
  for (int64_t point = 0; point < p; ++point) {
    const int64_t k = label[point] = nearest(p, point, c, d, x, m);
    ++count[k];
    for (int64_t e = 0; e < d; ++e) centre[k * d + e] += x[e * p + point];
  }
  for (int64_t k = 0; k < c; ++k)
    for (int64_t e = 0; e < d; ++e)
      centre[k * d + e] = count[k] ? centre[k * d + e] / (float)count[k] : m[k * d + e];
}
