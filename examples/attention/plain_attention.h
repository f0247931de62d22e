/* Attention written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out[n][d] = softmax(q k^T / sqrt(d)) v for q[n][d], k[n][d] and v[n][d]; row[n] holds the weights
   of one query. */
void plain_attention(int64_t n, int64_t d, const float* q, const float* k, const float* v,
                     float* row, float* out);

#ifdef __cplusplus
}
#endif
