/* A sparse matrix times a dense one, written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* c[n][m] = A b, with A in compressed rows: row[n + 1], col[row[n]], val[row[n]]. */
void plain_spmm(int64_t n, int64_t m, const int32_t* row, const int32_t* col, const float* val,
                const float* b, float* c);

#ifdef __cplusplus
}
#endif
