/* out[b][h][w][co] = relu(bias[co] + the convolution of in[b][h + 2][w + 2][ci] with
   weights[3][3][ci][co]). */
#include <stdint.h>

void plain_conv(int64_t b, int64_t h, int64_t w, int64_t ci, int64_t co, const float* restrict in,
                const float* restrict bias, const float* restrict weights, float* restrict out) {
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < b; ++n)
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) {
        float* sums = out + ((n * h + y) * w + x) * co;
        for (int64_t o = 0; o < co; ++o) sums[o] = bias[o];
        for (int64_t ky = 0; ky < 3; ++ky)
          for (int64_t kx = 0; kx < 3; ++kx)
            for (int64_t i = 0; i < ci; ++i) {
              const float pixel = in[((n * (h + 2) + y + ky) * (w + 2) + x + kx) * ci + i];
              const float* row = weights + ((ky * 3 + kx) * ci + i) * co;
              for (int64_t o = 0; o < co; ++o) sums[o] += row[o] * pixel;
            }
        for (int64_t o = 0; o < co; ++o) sums[o] = sums[o] > 0 ? sums[o] : 0;
      }
}
