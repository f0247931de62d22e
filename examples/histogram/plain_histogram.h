/* A histogram as one writes it by hand, for comparison. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* hist[256] of the n bytes at img. */
void plain_histogram(int64_t n, const uint8_t* img, int32_t* hist);

#ifdef __cplusplus
}
#endif
