/* The matrix product written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "gcc -O3": the compiler and options of plain_matmul. */
extern const char plain_matmul_compiler[];

/* c[n][m] = a[n][k] b[k][m], all dense. */
void plain_matmul(int64_t n, int64_t m, int64_t k, const float* a, const float* b, float* c);

#ifdef __cplusplus
}
#endif
