/* The matrix product as one writes it by hand. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* c[n][n] = a[n][n] b[n][n], all dense. */
void plain_sgemm(int64_t n, const float* a, const float* b, float* c);

#ifdef __cplusplus
}
#endif
