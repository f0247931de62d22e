/* The mean of the eight neighbours, then Roberts' cross: in[n][w], ring[n - 2][w - 6],
   edges[n - 2][w - 6], whose first row and first three columns are not written. */
#include <stdint.h>
#include <stdlib.h>

void plain_edge(int64_t n, int64_t w, const uint8_t* restrict in, uint8_t* restrict ring,
                uint8_t* restrict edges) {
  const int64_t v = w - 6;
#pragma omp parallel for
  for (int64_t i = 0; i < n - 2; ++i)
    for (int64_t j = 0; j < v; ++j)
      ring[i * v + j] =
          (uint8_t)((in[i * w + j] + in[i * w + j + 3] + in[i * w + j + 6] + in[(i + 1) * w + j] +
                     in[(i + 1) * w + j + 6] + in[(i + 2) * w + j] + in[(i + 2) * w + j + 3] +
                     in[(i + 2) * w + j + 6]) /
                    8);
#pragma omp parallel for
  for (int64_t i = 1; i < n - 2; ++i)
    for (int64_t j = 3; j < v; ++j) {
      const int sum = abs(ring[i * v + j] - ring[(i - 1) * v + j - 3]) +
                      abs(ring[i * v + j - 3] - ring[(i - 1) * v + j]);
      edges[i * v + j] = (uint8_t)(sum < 255 ? sum : 255);
    }
}
