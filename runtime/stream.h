/* What emitted kernels call to store past the caches. */
#ifndef STRATA_RUNTIME_STREAM_H
#define STRATA_RUNTIME_STREAM_H

#include <stdint.h>

/* Do stores to a buffer of so many bytes go past the caches?  Never where the machine cannot. */
int strata_streams(int64_t bytes);

/* Copies "bytes" from a vector to base + offset (in bytes); 0. */
int strata_stream(void *base, int64_t offset, const void *vector, int64_t bytes);

/* Before other threads may learn that this one is done: what it has stored comes first; 0. */
int strata_stream_end(void);

#endif
