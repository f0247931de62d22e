/* x[T][H], w[L][4][H][H], u[L][4][H][H], bias[L][4][H]; h[L][T + 1][H] is the result, c[H]
   and z[4][H] are scratch.  The layer itself is compiled here, by the same compiler. */
#include "examples/lstm/plain_lstm.c"

void plain_lstm_layers(int64_t L, int64_t T, int64_t H, const float* x, const float* w,
                       const float* u, const float* bias, float* h, float* c, float* z) {
  for (int64_t l = 0; l < L; ++l) {
    float* states = h + l * (T + 1) * H;
    plain_lstm(T, H, H, l ? states - T * H : x, w + l * 4 * H * H, u + l * 4 * H * H,
               bias + l * 4 * H, states, c, z);
  }
}
