/* The steps written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* grid[n][m] after the given number of steps, in place, and the change[steps] in each of them;
   next[n][m] is for the steps in between. */
void plain_heat(int64_t steps, int64_t n, int64_t m, float r, float* grid, float* next,
                float* change);

#ifdef __cplusplus
}
#endif
