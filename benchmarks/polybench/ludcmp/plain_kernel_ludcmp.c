#include <stdint.h>

void plain_kernel_ludcmp(int64_t N, double A[restrict N][N], const double b[restrict N],
                         double x[restrict N], double y[restrict N]) {
  double w;
#pragma scop
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      w = A[i][j];
      for (int64_t k = 0; k < j; ++k) w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int64_t j = i; j < N; ++j) {
      w = A[i][j];
      for (int64_t k = 0; k < i; ++k) w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (int64_t i = 0; i < N; ++i) {
    w = b[i];
    for (int64_t j = 0; j < i; ++j) w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (int64_t i = N - 1; i >= 0; --i) {
    w = y[i];
    for (int64_t j = i + 1; j < N; ++j) w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
#pragma endscop
}
