/* in[n][w] becomes bright[n][w] via scaled[n][w], and negative[n][w] via opposite[n][w]. */
#include <stdint.h>

void plain_nb(int64_t n, int64_t w, const uint8_t* restrict in, uint16_t* restrict scaled,
              uint8_t* restrict bright, uint8_t* restrict opposite, uint8_t* restrict negative) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < w; ++j) scaled[i * w + j] = (uint16_t)(in[i * w + j] * 3 / 2);
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < w; ++j)
      bright[i * w + j] = (uint8_t)(scaled[i * w + j] < 255 ? scaled[i * w + j] : 255);
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < w; ++j) opposite[i * w + j] = (uint8_t)(255 - in[i * w + j]);
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < w; ++j) negative[i * w + j] = (uint8_t)(opposite[i * w + j] * 3 / 4);
}
