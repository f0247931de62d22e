#include "examples/histogram/plain_histogram.h"

void plain_histogram(int64_t n, const uint8_t* img, int32_t* hist) {
  for (int v = 0; v < 256; ++v) hist[v] = 0;
  for (int64_t i = 0; i < n; ++i) ++hist[img[i]];
}
