/* A histogram written by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts the n bytes at img in hist[256]. */
void plain_histogram(int64_t n, const uint8_t* img, int32_t* hist);

#ifdef __cplusplus
}
#endif
