/* Emitted kernels call these for a math function of a vector, in the mode `fast`:
 *
 *     values[i] = f(values[i])   or   f(values[i], others[i]),     0 <= i < count;  returns values
 *
 * strata_sse2_expf, strata_avx2_expf, strata_avx512_expf, .. are for vectors of 16, 32 and 64
 * bytes; "count" is a multiple of their number of elements. The name has the instruction set of the
 * target, so the CPU has it. The error is at most 4 ulp; special values are those of C11, Annex F.
 * The result for an element does not depend on its index, on the count or on the other elements. */
#ifndef STRATA_RUNTIME_VECTOR_MATH_H
#define STRATA_RUNTIME_VECTOR_MATH_H

#ifdef __x86_64__
#define STRATA_UNARY_FOR(set, name)                          \
  float* strata_##set##_##name##f(float* values, int count); \
  double* strata_##set##_##name(double* values, int count);
#define STRATA_BINARY_FOR(set, name)                                              \
  float* strata_##set##_##name##f(float* values, const float* others, int count); \
  double* strata_##set##_##name(double* values, const double* others, int count);

#define STRATA_UNARY(name)     \
  STRATA_UNARY_FOR(sse2, name) \
  STRATA_UNARY_FOR(avx2, name) \
  STRATA_UNARY_FOR(avx512, name)
#define STRATA_BINARY(name)     \
  STRATA_BINARY_FOR(sse2, name) \
  STRATA_BINARY_FOR(avx2, name) \
  STRATA_BINARY_FOR(avx512, name)
#include "runtime/math_functions.inc"
#undef STRATA_UNARY_FOR
#undef STRATA_BINARY_FOR
#undef STRATA_UNARY
#undef STRATA_BINARY
#endif

#endif
