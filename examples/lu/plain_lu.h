/* The factorisation written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Overwrites the dense matrix a[n][n] with its factors. */
void plain_lu(int64_t n, double* a);

#ifdef __cplusplus
}
#endif
