/* Hand-written versions of the blur, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "gcc -O3": the compiler and the optimisation level of both. */
extern const char plain_blur_compiler[];

/* in[n][w], bx[n][w - 6], by[n - 2][w - 6], all dense. */
void plain_blur(int64_t n, int64_t w, const float* in, float* bx, float* by);

/* Without an array for bx. */
void openmp_blur(int threads, int64_t n, int64_t w, const float* in, float* by);

#ifdef __cplusplus
}
#endif
