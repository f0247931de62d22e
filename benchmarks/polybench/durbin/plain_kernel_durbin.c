#include <stdint.h>

void plain_kernel_durbin(int64_t N, const double r[restrict N], double y[restrict N]) {
  double z[N];
  double alpha = -r[0], beta = 1.0, sum;
  y[0] = -r[0];
#pragma scop
  for (int64_t k = 1; k < N; ++k) {
    beta = (1 - alpha * alpha) * beta;
    sum = 0.0;
    for (int64_t i = 0; i < k; ++i) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int64_t i = 0; i < k; ++i) z[i] = y[i] + alpha * y[k - i - 1];
    for (int64_t i = 0; i < k; ++i) y[i] = z[i];
    y[k] = alpha;
  }
#pragma endscop
}
