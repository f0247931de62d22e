/* The two stages in sequence, with an array in between: the program without a schedule. */
#include "examples/blur/by_hand.h"

#ifdef __clang__
const char plain_blur_compiler[] = "clang -O3";
#else
const char plain_blur_compiler[] = "gcc -O3";
#endif

void plain_blur(int64_t n, int64_t w, const float* restrict in, float* restrict bx,
                float* restrict by) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < w - 6; ++j)
      bx[i * (w - 6) + j] = (in[i * w + j] + in[i * w + j + 3] + in[i * w + j + 6]) / 3.0f;

  for (int64_t i = 0; i < n - 2; ++i)
    for (int64_t j = 0; j < w - 6; ++j)
      by[i * (w - 6) + j] =
          (bx[i * (w - 6) + j] + bx[(i + 1) * (w - 6) + j] + bx[(i + 2) * (w - 6) + j]) / 3.0f;
}
