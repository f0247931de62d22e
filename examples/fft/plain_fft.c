#include "examples/fft/plain_fft.h"

#include <math.h>

enum { points = 1024 };

/* The roots of the stage with n numbers to transform begin at element 1024 - n of each row, since
   n / 4 + n / 16 + .. < n. */
void plain_fft_turns(float* turn) {
  for (int64_t n = points; n > 1; n /= 4)
    for (int64_t k = 1; k < 4; ++k)
      for (int64_t p = 0; p < n / 4; ++p) {
        const double angle = -2 * 3.14159265358979323846 * (double)(k * p) / (double)n;
        turn[(k - 1) * points + points - n + p] = (float)cos(angle);
        turn[(k + 2) * points + points - n + p] = (float)sin(angle);
      }
}

/* One butterfly of radix 4, of the numbers at x + m * in, to y + k * out. */
static inline void butterfly(const float* re, const float* im, int64_t in, const float* turn,
                             float* restrict out_re, float* restrict out_im, int64_t out) {
  const float even0_re = re[0] + re[2 * in], even0_im = im[0] + im[2 * in];
  const float even1_re = re[0] - re[2 * in], even1_im = im[0] - im[2 * in];
  const float odd0_re = re[in] + re[3 * in], odd0_im = im[in] + im[3 * in];
  const float odd1_re = im[in] - im[3 * in], odd1_im = re[3 * in] - re[in];
  const float a_re = even1_re + odd1_re, a_im = even1_im + odd1_im;
  const float b_re = even0_re - odd0_re, b_im = even0_im - odd0_im;
  const float c_re = even1_re - odd1_re, c_im = even1_im - odd1_im;
  const float *cosine = turn, *sine = turn + 3 * points;
  out_re[0] = even0_re + odd0_re;
  out_im[0] = even0_im + odd0_im;
  out_re[out] = a_re * cosine[0] - a_im * sine[0];
  out_im[out] = a_re * sine[0] + a_im * cosine[0];
  out_re[2 * out] = b_re * cosine[points] - b_im * sine[points];
  out_im[2 * out] = b_re * sine[points] + b_im * cosine[points];
  out_re[3 * out] = c_re * cosine[2 * points] - c_im * sine[2 * points];
  out_im[3 * out] = c_re * sine[2 * points] + c_im * cosine[2 * points];
}

static inline void stage(int64_t s, const float* turn, const float* restrict re,
                         const float* restrict im, float* restrict out_re, float* restrict out_im) {
  const int64_t n = points / s;
  if (s == 1) {
    for (int64_t p = 0; p < n / 4; ++p)
      butterfly(re + p, im + p, n / 4, turn + p, out_re + 4 * p, out_im + 4 * p, 1);
    return;
  }
  for (int64_t p = 0; p < n / 4; ++p)
    for (int64_t q = 0; q < s; ++q)
      butterfly(re + p * s + q, im + p * s + q, points / 4, turn + points - n + p,
                out_re + 4 * p * s + q, out_im + 4 * p * s + q, s);
}

void plain_fft(int64_t b, const float* turn, const float* re, const float* im, float* out_re,
               float* out_im) {
  for (int64_t row = 0; row < b; ++row) {
    float x_re[points], x_im[points], y_re[points], y_im[points];
    stage(1, turn, re + row * points, im + row * points, x_re, x_im);
    stage(4, turn, x_re, x_im, y_re, y_im);
    stage(16, turn, y_re, y_im, x_re, x_im);
    stage(64, turn, x_re, x_im, y_re, y_im);
    stage(256, turn, y_re, y_im, out_re + row * points, out_im + row * points);
  }
}
