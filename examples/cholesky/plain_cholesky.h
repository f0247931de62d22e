/* The factorisation as one writes it by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The upper triangle of a[n][n], dense, becomes its factor. */
void plain_cholesky(int64_t n, double* a);

#ifdef __cplusplus
}
#endif
