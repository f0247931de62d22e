/* The C library's functions under names that LLVM does not recognise.
 *
 * Under their own names LLVM would evaluate calls with constants itself, and turn pow(x, 2) into
 * x * x. The results would not be those of the C library, bit for bit. */
#include <math.h>

#define STRATA_UNARY(name)                               \
  float strata_##name##f(float x);                       \
  float strata_##name##f(float x) { return name##f(x); } \
  double strata_##name(double x);                        \
  double strata_##name(double x) { return name(x); }

#define STRATA_BINARY(name)                                          \
  float strata_##name##f(float x, float y);                          \
  float strata_##name##f(float x, float y) { return name##f(x, y); } \
  double strata_##name(double x, double y);                          \
  double strata_##name(double x, double y) { return name(x, y); }

#include "runtime/math_functions.inc"
