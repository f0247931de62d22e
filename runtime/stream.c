#include "runtime/stream.h"

#include <stdatomic.h>
#include <string.h>
#include <strata/runtime.h>

#ifdef __x86_64__
#include <emmintrin.h>
#endif

/* The last cache of common machines, for the cores that share it. */
enum { usual_size = 32 * 1024 * 1024 };

static _Atomic int64_t least = usual_size;

int64_t strata_set_streaming_size(int64_t bytes) {
  return atomic_exchange(&least, bytes > 0 ? bytes : usual_size);
}

#ifdef __x86_64__

int strata_streams(int64_t bytes) { return bytes >= atomic_load(&least); }

/* The machine's stores of this kind write at multiples of what they write, and gather in lines. */
int strata_stream(void *base, int64_t offset, const void *vector, int64_t bytes) {
  char *to = (char *)base + offset;
  const char *from = vector;
  if ((uintptr_t)to % sizeof(__m128i) == 0)
    for (int64_t k = 0; k < bytes; k += (int64_t)sizeof(__m128i))
      _mm_stream_si128((__m128i *)(void *)(to + k),
                       _mm_loadu_si128((const __m128i *)(const void *)(from + k)));
  else if ((uintptr_t)to % sizeof(long long) == 0)
    for (int64_t k = 0; k < bytes; k += (int64_t)sizeof(long long)) {
      long long number;
      memcpy(&number, from + k, sizeof number);
      _mm_stream_si64((long long *)(void *)(to + k), number);
    }
  else
    memcpy(to, from, (size_t)bytes);
  return 0;
}

int strata_stream_end(void) {
  _mm_sfence();
  return 0;
}

#else

int strata_streams(int64_t bytes) {
  (void)bytes;
  return 0;
}

int strata_stream(void *base, int64_t offset, const void *vector, int64_t bytes) {
  memcpy((char *)base + offset, vector, (size_t)bytes);
  return 0;
}

int strata_stream_end(void) { return 0; }

#endif
