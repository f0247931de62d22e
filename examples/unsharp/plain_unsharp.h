/* The unsharp mask written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sharp[3][n][w] of in[3][n][w], n and w at least 1; bx[3][n][w] holds the rows blurred. */
void plain_unsharp(int64_t n, int64_t w, const float* in, float* bx, float* sharp);

#ifdef __cplusplus
}
#endif
