#include "examples/lstm/plain_lstm.h"

#include <math.h>

static float sigmoid(float y) { return 1.0f / (1.0f + expf(-y)); }

static void add_products(int64_t n, int64_t H, const float* matrix, const float* vector,
                         float* sums) {
  for (int64_t k = 0; k < n; ++k)
    for (int64_t j = 0; j < H; ++j) sums[j] += matrix[k * H + j] * vector[k];
}

void plain_lstm(int64_t T, int64_t H, int64_t D, const float* x, const float* w, const float* u,
                const float* bias, float* h, float* c, float* z) {
  for (int64_t j = 0; j < H; ++j) h[j] = c[j] = 0;
  for (int64_t t = 0; t < T; ++t) {
    for (int64_t g = 0; g < 4; ++g) {
      float* gate = z + g * H;
      for (int64_t j = 0; j < H; ++j) gate[j] = bias[g * H + j];
      add_products(D, H, w + g * D * H, x + t * D, gate);
      add_products(H, H, u + g * H * H, h + t * H, gate);
    }
    for (int64_t j = 0; j < H; ++j) {
      c[j] = sigmoid(z[H + j]) * c[j] + sigmoid(z[j]) * tanhf(z[2 * H + j]);
      h[(t + 1) * H + j] = sigmoid(z[3 * H + j]) * tanhf(c[j]);
    }
  }
}
