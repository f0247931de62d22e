/* The factorisation as one writes it by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* a[n][n], dense, becomes its factors. */
void plain_lu(int64_t n, double* a);

#ifdef __cplusplus
}
#endif
