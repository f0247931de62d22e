#include "codegen/halide/product/jit_symbols.h"

#include <HalideRuntimeCuda.h>
#include <HalideRuntimeOpenCL.h>
#include <strata/runtime.h>

#include <cstddef>

extern "C" {
int strata_fail(int code, const char* format, ...);
void halide_device_free_as_destructor(void* context, void* buffer);
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

namespace strata::halide {

// strata/runtime.h declares Halide's buffer types under names of its own.
static_assert(sizeof(strata_buffer) == sizeof(halide_buffer_t));
static_assert(sizeof(strata_dimension) == sizeof(halide_dimension_t));
static_assert(offsetof(strata_buffer, host) == offsetof(halide_buffer_t, host));
static_assert(offsetof(strata_buffer, flags) == offsetof(halide_buffer_t, flags));
static_assert(offsetof(strata_buffer, type) == offsetof(halide_buffer_t, type));
static_assert(offsetof(strata_buffer, dimensions) == offsetof(halide_buffer_t, dimensions));
static_assert(offsetof(strata_buffer, dim) == offsetof(halide_buffer_t, dim));
static_assert(offsetof(strata_dimension, stride) == offsetof(halide_dimension_t, stride));

Addresses symbols_for_kernels(const std::map<std::string, void*>& functions) {
  Addresses symbols = functions;
  const auto add = [&](const char* name, auto* function) {
    symbols[name] = reinterpret_cast<void*>(function);
  };
#define STRATA_ADD(name) add(#name, &::name)
  STRATA_ADD(strata_check_arguments);
  STRATA_ADD(strata_out_of_memory);
  STRATA_ADD(strata_free_owned);
  STRATA_ADD(strata_index_out_of_range);
  STRATA_ADD(strata_run_parallel);
  STRATA_ADD(strata_profile_begin);
  STRATA_ADD(strata_profile_end);
  STRATA_ADD(halide_do_parallel_tasks);
  STRATA_ADD(halide_malloc);
  STRATA_ADD(halide_free);
  // A buffer on the device goes from here to linked kernels and back: the runtime is theirs.
  STRATA_ADD(strata_device_start);
  STRATA_ADD(strata_device_failed);
  STRATA_ADD(strata_launch_failed);
  STRATA_ADD(strata_device_allocate);
  STRATA_ADD(strata_copy_to_device);
  STRATA_ADD(strata_copy_to_host);
  STRATA_ADD(strata_written_on_device);
  STRATA_ADD(halide_device_free);
  STRATA_ADD(halide_device_free_as_destructor);
  STRATA_ADD(halide_cuda_device_interface);
  STRATA_ADD(halide_cuda_initialize_kernels);
  STRATA_ADD(halide_cuda_finalize_kernels);
  STRATA_ADD(halide_cuda_run);
  STRATA_ADD(halide_opencl_device_interface);
  STRATA_ADD(halide_opencl_initialize_kernels);
  STRATA_ADD(halide_opencl_finalize_kernels);
  STRATA_ADD(halide_opencl_run);
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

int report_failure(int code, const std::string& text) {
  return strata_fail(code, "%s", text.c_str());
}

}  // namespace strata::halide
