#include <stdint.h>

void plain_kernel_seidel_2d(int64_t T, int64_t N, double A[restrict N][N]) {
#pragma scop
  for (int64_t t = 0; t < T; ++t)
    for (int64_t i = 1; i < N - 1; ++i)
      for (int64_t j = 1; j < N - 1; ++j)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
                   A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                  9.0;
#pragma endscop
}
