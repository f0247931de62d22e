/* Fourier transforms written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Transforms each of b rows of 1024 complex numbers, re[b][1024] and im[b][1024]. turn[2][3][1024]
   has the real and imaginary parts of the roots of unity, from plain_fft_turns. */
void plain_fft_turns(float* turn);
void plain_fft(int64_t b, const float* turn, const float* re, const float* im, float* out_re,
               float* out_im);

#ifdef __cplusplus
}
#endif
