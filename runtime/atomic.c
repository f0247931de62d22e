#include "runtime/atomic.h"

/* Retries a (+) b while other threads change the place. "a" is then the value that they left. */
#define STRATA_ATOMIC(kind, name, type, argument, step)                                         \
  int strata_atomic_##kind##_##name(type* base, int64_t index, argument value) {                \
    type* place = base + index;                                                                 \
    const type b = (type)value;                                                                 \
    type a, c;                                                                                  \
    __atomic_load(place, &a, __ATOMIC_RELAXED);                                                 \
    do {                                                                                        \
      c = (type)(step);                                                                         \
    } while (!__atomic_compare_exchange(place, &a, &c, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
    return 0;                                                                                   \
  }

#define STRATA_ATOMIC_EXTREMES(name, type, argument)      \
  STRATA_ATOMIC(min, name, type, argument, a < b ? a : b) \
  STRATA_ATOMIC(max, name, type, argument, a > b ? a : b)

/* For steps with a machine instruction. */
#define STRATA_ATOMIC_FETCH(kind, fetch, name, type, unsigned_type, argument)      \
  int strata_atomic_##kind##_##name(type* base, int64_t index, argument value) {   \
    fetch((unsigned_type*)(base + index), (unsigned_type)value, __ATOMIC_RELAXED); \
    return 0;                                                                      \
  }

/* Products wrap. They are computed in uint64_t, since narrower unsigned types promote to signed
 * int. */
#define STRATA_ATOMIC_INTEGER(name, type, unsigned_type, argument)                      \
  STRATA_ATOMIC_FETCH(add, __atomic_fetch_add, name, type, unsigned_type, argument)     \
  STRATA_ATOMIC_FETCH(bit_and, __atomic_fetch_and, name, type, unsigned_type, argument) \
  STRATA_ATOMIC_FETCH(bit_or, __atomic_fetch_or, name, type, unsigned_type, argument)   \
  STRATA_ATOMIC_FETCH(bit_xor, __atomic_fetch_xor, name, type, unsigned_type, argument) \
  STRATA_ATOMIC(mul, name, type, argument, (uint64_t)a*(uint64_t)b)                     \
  STRATA_ATOMIC_EXTREMES(name, type, argument)

#define STRATA_ATOMIC_FLOAT(name, type)       \
  STRATA_ATOMIC(add, name, type, type, a + b) \
  STRATA_ATOMIC(mul, name, type, type, a* b)  \
  STRATA_ATOMIC_EXTREMES(name, type, type)

#define STRATA_ATOMIC_TRUTH(name, type)              \
  STRATA_ATOMIC(logical_or, name, type, int, a || b) \
  STRATA_ATOMIC(logical_and, name, type, int, a&& b)

#include "runtime/atomic_types.inc"
