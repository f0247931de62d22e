/* The layer written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* x[T][D], w[4][D][H], u[4][H][H], bias[4][H]; h[T + 1][H] is the result, c[H] and z[4][H] are
   scratch.  All dense. */
void plain_lstm(int64_t T, int64_t H, int64_t D, const float* x, const float* w, const float* u,
                const float* bias, float* h, float* c, float* z);

#ifdef __cplusplus
}
#endif
