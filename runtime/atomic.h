/* Emitted kernels call these for a step of a reduction or update that other threads also perform:
 *
 *     base[index] = base[index] (+) value        in one indivisible step
 *
 * The end of a parallel loop synchronises its threads, so the steps themselves are relaxed. Narrow
 * values are passed as int. Each function returns 0. */
#ifndef STRATA_RUNTIME_ATOMIC_H
#define STRATA_RUNTIME_ATOMIC_H

#include <stdint.h>

#define STRATA_ATOMIC(kind, name, type, argument) \
  int strata_atomic_##kind##_##name(type* base, int64_t index, argument value);
#define STRATA_ATOMIC_NUMBER(name, type, argument) \
  STRATA_ATOMIC(add, name, type, argument)         \
  STRATA_ATOMIC(mul, name, type, argument)         \
  STRATA_ATOMIC(min, name, type, argument)         \
  STRATA_ATOMIC(max, name, type, argument)
#define STRATA_ATOMIC_INTEGER(name, type, unsigned_type, argument) \
  STRATA_ATOMIC_NUMBER(name, type, argument)                       \
  STRATA_ATOMIC(bit_and, name, type, argument)                     \
  STRATA_ATOMIC(bit_or, name, type, argument)                      \
  STRATA_ATOMIC(bit_xor, name, type, argument)
#define STRATA_ATOMIC_FLOAT(name, type) STRATA_ATOMIC_NUMBER(name, type, type)
#define STRATA_ATOMIC_TRUTH(name, type)      \
  STRATA_ATOMIC(logical_or, name, type, int) \
  STRATA_ATOMIC(logical_and, name, type, int)
#include "runtime/atomic_types.inc"
#undef STRATA_ATOMIC
#undef STRATA_ATOMIC_NUMBER
#undef STRATA_ATOMIC_INTEGER
#undef STRATA_ATOMIC_FLOAT
#undef STRATA_ATOMIC_TRUTH

#endif
