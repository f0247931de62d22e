#include <stdint.h>

void plain_kernel_fdtd_2d(int64_t T, int64_t NX, int64_t NY, double EX[restrict NX][NY],
                          double EY[restrict NX][NY], double HZ[restrict NX][NY],
                          const double source[restrict T]) {
#pragma scop
  for (int64_t t = 0; t < T; ++t) {
    for (int64_t j = 0; j < NY; ++j) EY[0][j] = source[t];
    for (int64_t i = 1; i < NX; ++i)
      for (int64_t j = 0; j < NY; ++j) EY[i][j] -= 0.5 * (HZ[i][j] - HZ[i - 1][j]);
    for (int64_t i = 0; i < NX; ++i)
      for (int64_t j = 1; j < NY; ++j) EX[i][j] -= 0.5 * (HZ[i][j] - HZ[i][j - 1]);
    for (int64_t i = 0; i < NX - 1; ++i)
      for (int64_t j = 0; j < NY - 1; ++j)
        HZ[i][j] -= 0.7 * (EX[i][j + 1] - EX[i][j] + EY[i + 1][j] - EY[i][j]);
  }
#pragma endscop
}
