/* The sweeps written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "gcc -O3": the compiler and options of plain_seidel. */
extern const char plain_seidel_compiler[];

/* Runs the sweeps over the dense grid[n][m]. */
void plain_seidel(int64_t sweeps, int64_t n, int64_t m, float* grid);

#ifdef __cplusplus
}
#endif
