#include <stdint.h>

void plain_kernel_jacobi_1d(int64_t T, int64_t N, double A[restrict N], double B[restrict N]) {
#pragma scop
  for (int64_t t = 0; t < T; ++t) {
    for (int64_t i = 1; i < N - 1; ++i) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int64_t i = 1; i < N - 1; ++i) A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
#pragma endscop
}
