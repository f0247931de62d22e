/* Math functions of vectors: glibc's libmvec, which -lm links if it is needed.
 *
 * Its functions have the names of the x86-64 vector ABI,
 *     _ZGV<b, d, e: vectors of 16, 32, 64 bytes>N<elements><v: an argument>_<function>
 * and use only instructions that the CPU has. Without STRATA_LIBMVEC these are the C library's
 * functions, one element after the other. */
#include "runtime/vector_math.h"

#ifdef __x86_64__
#ifdef STRATA_LIBMVEC
#include <string.h>

#define STRATA_FOR_sse2
#define STRATA_FOR_avx2 __attribute__((target("avx2")))
#define STRATA_FOR_avx512 __attribute__((target("avx512f")))

typedef float sse2_f __attribute__((vector_size(16)));
typedef float avx2_f __attribute__((vector_size(32)));
typedef float avx512_f __attribute__((vector_size(64)));
typedef double sse2_d __attribute__((vector_size(16)));
typedef double avx2_d __attribute__((vector_size(32)));
typedef double avx512_d __attribute__((vector_size(64)));

#define STRATA_EACH_UNARY(set, type, vector, name, library)                             \
  STRATA_FOR_##set vector library(vector);                                              \
  STRATA_FOR_##set type* strata_##set##_##name(type* values, int count) {               \
    for (type* to = values; to < values + count; to += sizeof(vector) / sizeof(type)) { \
      vector x;                                                                         \
      memcpy(&x, to, sizeof x);                                                         \
      x = library(x);                                                                   \
      memcpy(to, &x, sizeof x);                                                         \
    }                                                                                   \
    return values;                                                                      \
  }
#define STRATA_EACH_BINARY(set, type, vector, name, library)                                  \
  STRATA_FOR_##set vector library(vector, vector);                                            \
  STRATA_FOR_##set type* strata_##set##_##name(type* values, const type* others, int count) { \
    for (type* to = values; to < values + count; to += sizeof(vector) / sizeof(type)) {       \
      vector x, y;                                                                            \
      memcpy(&x, to, sizeof x);                                                               \
      memcpy(&y, others + (to - values), sizeof y);                                           \
      x = library(x, y);                                                                      \
      memcpy(to, &x, sizeof x);                                                               \
    }                                                                                         \
    return values;                                                                            \
  }

#define STRATA_SET(each, set, name, floats, doubles)     \
  each(set, float, set##_f, name##f, floats##_##name##f) \
      each(set, double, set##_d, name, doubles##_##name)
#define STRATA_UNARY(name)                                      \
  STRATA_SET(STRATA_EACH_UNARY, sse2, name, _ZGVbN4v, _ZGVbN2v) \
  STRATA_SET(STRATA_EACH_UNARY, avx2, name, _ZGVdN8v, _ZGVdN4v) \
  STRATA_SET(STRATA_EACH_UNARY, avx512, name, _ZGVeN16v, _ZGVeN8v)
#define STRATA_BINARY(name)                                        \
  STRATA_SET(STRATA_EACH_BINARY, sse2, name, _ZGVbN4vv, _ZGVbN2vv) \
  STRATA_SET(STRATA_EACH_BINARY, avx2, name, _ZGVdN8vv, _ZGVdN4vv) \
  STRATA_SET(STRATA_EACH_BINARY, avx512, name, _ZGVeN16vv, _ZGVeN8vv)

#else
#include <math.h>

#define STRATA_EACH_UNARY(set, type, name)                       \
  type* strata_##set##_##name(type* values, int count) {         \
    for (int i = 0; i < count; ++i) values[i] = name(values[i]); \
    return values;                                               \
  }
#define STRATA_EACH_BINARY(set, type, name)                                  \
  type* strata_##set##_##name(type* values, const type* others, int count) { \
    for (int i = 0; i < count; ++i) values[i] = name(values[i], others[i]);  \
    return values;                                                           \
  }

#define STRATA_SETS(each, type, name) \
  each(sse2, type, name) each(avx2, type, name) each(avx512, type, name)
#define STRATA_UNARY(name) \
  STRATA_SETS(STRATA_EACH_UNARY, float, name##f) STRATA_SETS(STRATA_EACH_UNARY, double, name)
#define STRATA_BINARY(name) \
  STRATA_SETS(STRATA_EACH_BINARY, float, name##f) STRATA_SETS(STRATA_EACH_BINARY, double, name)

#endif
#include "runtime/math_functions.inc"
#endif
