/* x[T][H], w[L][4][H][H], u[L][4][H][H], bias[L][4][H]; h[L][T + 1][H] is the result, c[H]
   and z[4][H] are room to work in. */
#include <math.h>
#include <stdint.h>

static float sigmoid(float y) { return 1.0f / (1.0f + expf(-y)); }

static void add_products(int64_t n, const float* matrix, const float* vector, float* sums) {
  for (int64_t k = 0; k < n; ++k)
    for (int64_t j = 0; j < n; ++j) sums[j] += matrix[k * n + j] * vector[k];
}

void plain_lstm_layers(int64_t L, int64_t T, int64_t H, const float* x, const float* w,
                       const float* u, const float* bias, float* h, float* c, float* z) {
  for (int64_t l = 0; l < L; ++l) {
    float* states = h + l * (T + 1) * H;
    const float* inputs = l ? states - T * H : x;
    for (int64_t j = 0; j < H; ++j) states[j] = c[j] = 0;
    for (int64_t t = 0; t < T; ++t) {
      for (int64_t g = 0; g < 4; ++g) {
        float* gate = z + g * H;
        for (int64_t j = 0; j < H; ++j) gate[j] = bias[(l * 4 + g) * H + j];
        add_products(H, w + (l * 4 + g) * H * H, inputs + t * H, gate);
        add_products(H, u + (l * 4 + g) * H * H, states + t * H, gate);
      }
      for (int64_t j = 0; j < H; ++j) {
        c[j] = sigmoid(z[H + j]) * c[j] + sigmoid(z[j]) * tanhf(z[2 * H + j]);
        states[(t + 1) * H + j] = sigmoid(z[3 * H + j]) * tanhf(c[j]);
      }
    }
  }
}
