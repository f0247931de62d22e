#include "codegen/halide/product/runtime_symbols.h"

#include <HalideRuntimeCuda.h>
#include <HalideRuntimeOpenCL.h>
#include <strata/runtime.h>

#include <cstddef>

extern "C" void halide_device_free_as_destructor(void* context, void* buffer);

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

Addresses runtime_symbols() {
  Addresses symbols;
  const auto add = [&](const char* name, auto* function) {
    symbols[name] = reinterpret_cast<void*>(function);
  };
#define STRATA_ADD(name) add(#name, &::name)
  STRATA_ADD(strata_free_owned);
  STRATA_ADD(halide_do_parallel_tasks);
  STRATA_ADD(halide_malloc);
  STRATA_ADD(halide_free);
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
  return symbols;
}

}  // namespace strata::halide
