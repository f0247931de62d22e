#include "driver/runtime_symbols.h"

#include <strata/runtime.h>

extern "C" {
#include "runtime/atomic.h"
#include "runtime/device.h"
#include "runtime/profile.h"
#include "runtime/threads.h"
#include "runtime/vector_math.h"
#define STRATA_UNARY(name)       \
  float strata_##name##f(float); \
  double strata_##name(double);
#define STRATA_BINARY(name)             \
  float strata_##name##f(float, float); \
  double strata_##name(double, double);
#include "runtime/math_functions.inc"
#undef STRATA_UNARY
#undef STRATA_BINARY
}

namespace strata {

Addresses runtime_symbols() {
  Addresses symbols;
  const auto add = [&](const char* name, auto* function) {
    symbols[name] = reinterpret_cast<void*>(function);
  };
#define STRATA_ADD(name) add(#name, &::name)
  STRATA_ADD(strata_check_arguments);
  STRATA_ADD(strata_out_of_memory);
  STRATA_ADD(strata_index_out_of_range);
  STRATA_ADD(strata_run_parallel);
  STRATA_ADD(strata_run_ranges);
  STRATA_ADD(strata_profile_begin);
  STRATA_ADD(strata_profile_end);
  // Buffers on the device move between kernels in process and linked kernels, so both use the same
  // runtime.
  STRATA_ADD(strata_device_start);
  STRATA_ADD(strata_device_failed);
  STRATA_ADD(strata_launch_failed);
  STRATA_ADD(strata_device_allocate);
  STRATA_ADD(strata_copy_to_device);
  STRATA_ADD(strata_copy_to_host);
  STRATA_ADD(strata_written_on_device);
#undef STRATA_ADD
#define STRATA_UNARY(name)                     \
  add("strata_" #name "f", &strata_##name##f); \
  add("strata_" #name, &strata_##name);        \
  STRATA_VECTORS(name)
#define STRATA_BINARY(name) STRATA_UNARY(name)
#ifdef __x86_64__
#define STRATA_VECTORS(name) \
  STRATA_VECTOR(sse2_##name) \
  STRATA_VECTOR(avx2_##name) \
  STRATA_VECTOR(avx512_##name)
#define STRATA_VECTOR(name)                    \
  add("strata_" #name "f", &strata_##name##f); \
  add("strata_" #name, &strata_##name);
#else
#define STRATA_VECTORS(name)
#endif
#include "runtime/math_functions.inc"
#undef STRATA_UNARY
#undef STRATA_BINARY
#undef STRATA_VECTOR
#undef STRATA_VECTORS
#define STRATA_ATOMIC(kind, type) \
  add("strata_atomic_" #kind "_" #type, &strata_atomic_##kind##_##type);
#define STRATA_ATOMIC_FLOAT(type, ...) \
  STRATA_ATOMIC(add, type)             \
  STRATA_ATOMIC(mul, type)             \
  STRATA_ATOMIC(min, type)             \
  STRATA_ATOMIC(max, type)
#define STRATA_ATOMIC_INTEGER(type, ...) \
  STRATA_ATOMIC_FLOAT(type)              \
  STRATA_ATOMIC(bit_and, type)           \
  STRATA_ATOMIC(bit_or, type)            \
  STRATA_ATOMIC(bit_xor, type)
#define STRATA_ATOMIC_TRUTH(type, ...) \
  STRATA_ATOMIC(logical_or, type)      \
  STRATA_ATOMIC(logical_and, type)
#include "runtime/atomic_types.inc"
#undef STRATA_ATOMIC
#undef STRATA_ATOMIC_FLOAT
#undef STRATA_ATOMIC_INTEGER
#undef STRATA_ATOMIC_TRUTH
  return symbols;
}

}  // namespace strata
