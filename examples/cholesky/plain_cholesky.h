/* The factorisation written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Overwrites the upper triangle of the dense matrix a[n][n] with its factor. */
void plain_cholesky(int64_t n, double* a);

#ifdef __cplusplus
}
#endif
