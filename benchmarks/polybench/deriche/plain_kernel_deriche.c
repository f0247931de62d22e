#include <math.h>
#include <stdint.h>

void plain_kernel_deriche(int64_t W, int64_t H, const double* alpha, const double in[restrict W][H],
                          double out[restrict W][H], double y1[restrict W][H],
                          double y2[restrict W][H]) {
  const double e = exp(-*alpha), e2 = exp(-2.0 * *alpha);
  const double k = (1.0 - e) * (1.0 - e) / (1.0 + 2.0 * *alpha * e - e2);
  const double a1 = k, a2 = k * e * (*alpha - 1.0), a3 = k * e * (*alpha + 1.0), a4 = -k * e2;
  const double b1 = pow(2.0, -*alpha), b2 = -e2;
  double xm1, xp1, xp2, ym1, ym2, yp1, yp2, tm1, tp1, tp2;
#pragma scop
  for (int64_t i = 0; i < W; ++i) {
    ym1 = 0;
    ym2 = 0;
    xm1 = 0;
    for (int64_t j = 0; j < H; ++j) {
      y1[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = in[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }
  for (int64_t i = 0; i < W; ++i) {
    yp1 = 0;
    yp2 = 0;
    xp1 = 0;
    xp2 = 0;
    for (int64_t j = H - 1; j >= 0; --j) {
      y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = in[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }
  for (int64_t i = 0; i < W; ++i)
    for (int64_t j = 0; j < H; ++j) out[i][j] = y1[i][j] + y2[i][j];
  for (int64_t j = 0; j < H; ++j) {
    tm1 = 0;
    ym1 = 0;
    ym2 = 0;
    for (int64_t i = 0; i < W; ++i) {
      y1[i][j] = a1 * out[i][j] + a2 * tm1 + b1 * ym1 + b2 * ym2;
      tm1 = out[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }
  for (int64_t j = 0; j < H; ++j) {
    tp1 = 0;
    tp2 = 0;
    yp1 = 0;
    yp2 = 0;
    for (int64_t i = W - 1; i >= 0; --i) {
      y2[i][j] = a3 * tp1 + a4 * tp2 + b1 * yp1 + b2 * yp2;
      tp2 = tp1;
      tp1 = out[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }
  for (int64_t i = 0; i < W; ++i)
    for (int64_t j = 0; j < H; ++j) out[i][j] = y1[i][j] + y2[i][j];
#pragma endscop
}
