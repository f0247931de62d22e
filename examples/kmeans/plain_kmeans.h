/* A step of k-means written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For points x[d][p] and centres m[c][d]: label[p], the nearest centre of each point, and
   centre[c][d], the means of the points of each; count[c] is their number. */
void plain_kmeans(int64_t p, int64_t c, int64_t d, const float* x, const float* m, int64_t* label,
                  int64_t* count, float* centre);

#ifdef __cplusplus
}
#endif
