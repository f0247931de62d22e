/* in[h + 4][w + 4][ci] -> layer1[h + 2][w + 2][c] -> layer2[h][w][c] -> pool[h / 2][w / 2][c]. */
#include <stdint.h>

static void layer(int64_t h, int64_t w, int64_t ci, int64_t c, const float* restrict in,
                  const float* restrict weights, const float* restrict bias, float* restrict out) {
#pragma omp parallel for
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      float* sums = out + (y * w + x) * c;
      for (int64_t o = 0; o < c; ++o) sums[o] = bias[o];
      for (int64_t ky = 0; ky < 3; ++ky)
        for (int64_t kx = 0; kx < 3; ++kx)
          for (int64_t i = 0; i < ci; ++i)
            for (int64_t o = 0; o < c; ++o)
              sums[o] += weights[((ky * 3 + kx) * ci + i) * c + o] *
                         in[((y + ky) * (w + 2) + x + kx) * ci + i];
      for (int64_t o = 0; o < c; ++o) sums[o] = sums[o] > 0 ? sums[o] : 0;
    }
}

static float larger(float a, float b) { return a > b ? a : b; }

void plain_vgg(int64_t h, int64_t w, int64_t ci, int64_t c, const float* in, const float* w1,
               const float* b1, const float* w2, const float* b2, float* layer1, float* layer2,
               float* restrict pool) {
  layer(h + 2, w + 2, ci, c, in, w1, b1, layer1);
  layer(h, w, c, c, layer1, w2, b2, layer2);
#pragma omp parallel for
  for (int64_t y = 0; y < h / 2; ++y)
    for (int64_t x = 0; x < w / 2; ++x)
      for (int64_t o = 0; o < c; ++o) {
        const float* at = layer2 + (2 * y * w + 2 * x) * c + o;
        pool[(y * (w / 2) + x) * c + o] =
            larger(larger(at[0], at[c]), larger(at[w * c], at[w * c + c]));
      }
}
