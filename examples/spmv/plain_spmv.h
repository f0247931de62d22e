/* A sparse matrix times a vector, written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y[n] = A x, with A in compressed rows: row[n + 1], col[row[n]], val[row[n]]. */
void plain_spmv(int64_t n, const int32_t* row, const int32_t* col, const float* val, const float* x,
                float* y);

#ifdef __cplusplus
}
#endif
