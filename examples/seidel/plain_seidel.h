/* The sweeps as one writes them by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "gcc -O3": what it was compiled with. */
extern const char plain_seidel_compiler[];

/* sweeps over grid[n][m], dense. */
void plain_seidel(int64_t sweeps, int64_t n, int64_t m, float* grid);

#ifdef __cplusplus
}
#endif
