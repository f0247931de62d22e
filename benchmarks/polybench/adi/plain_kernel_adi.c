#include <stdint.h>

void plain_kernel_adi(int64_t T, int64_t N, double u[restrict N][N], double v[restrict N][N],
                      double p[restrict N][N], double q[restrict N][N]) {
  const double DX = 1.0 / (double)N, DY = 1.0 / (double)N, DT = 1.0 / (double)T;
  const double mul1 = 2.0 * DT / (DX * DX), mul2 = 1.0 * DT / (DY * DY);
  const double a = -mul1 / 2.0, b = 1.0 + mul1, c = a;
  const double d = -mul2 / 2.0, e = 1.0 + mul2, f = d;
#pragma scop
  for (int64_t t = 1; t <= T; ++t) {
    for (int64_t i = 1; i < N - 1; ++i) {
      v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (int64_t j = 1; j < N - 1; ++j) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] =
            (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
            (a * p[i][j - 1] + b);
      }
      v[N - 1][i] = 1.0;
      for (int64_t j = 1; j < N - 1; ++j)
        v[N - 1 - j][i] = p[i][N - 1 - j] * v[N - j][i] + q[i][N - 1 - j];
    }
    for (int64_t i = 1; i < N - 1; ++i) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (int64_t j = 1; j < N - 1; ++j) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] =
            (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
            (d * p[i][j - 1] + e);
      }
      u[i][N - 1] = 1.0;
      for (int64_t j = 1; j < N - 1; ++j)
        u[i][N - 1 - j] = p[i][N - 1 - j] * u[i][N - j] + q[i][N - 1 - j];
    }
  }
#pragma endscop
}
