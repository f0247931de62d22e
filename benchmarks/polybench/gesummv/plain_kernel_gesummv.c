#include <stdint.h>

void plain_kernel_gesummv(int64_t N, const double* alpha, const double* beta,
                          const double A[restrict N][N], const double B[restrict N][N],
                          const double x[restrict N], double y[restrict N]) {
  double a, b;
#pragma scop
  for (int64_t i = 0; i < N; ++i) {
    a = 0;
    b = 0;
    for (int64_t j = 0; j < N; ++j) {
      a = A[i][j] * x[j] + a;
      b = B[i][j] * x[j] + b;
    }
    y[i] = *alpha * a + *beta * b;
  }
#pragma endscop
}
