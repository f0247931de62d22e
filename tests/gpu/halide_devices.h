// What the tests need of HalideRuntime.h, HalideRuntimeOpenCL.h and HalideRuntimeCuda.h, which the
// runtime defines.
#pragma once

#include <strata/runtime.h>

#include <cstdint>
#include <cstdlib>

extern "C" {
const void* halide_opencl_device_interface();
const void* halide_cuda_device_interface();
int halide_device_malloc(void* context, strata_buffer* buffer, const void* device);
int halide_device_free(void* context, strata_buffer* buffer);
int halide_device_wrap_native(void* context, strata_buffer* buffer, std::uint64_t handle,
                              const void* device);
int halide_device_detach_native(void* context, strata_buffer* buffer);
int halide_copy_to_device(void* context, strata_buffer* buffer, const void* device);
int halide_copy_to_host(void* context, strata_buffer* buffer);
void halide_set_gpu_device(int device);
std::uintptr_t halide_opencl_get_cl_mem(void* context, strata_buffer* buffer);
using AcquireContext = int (*)(void* user_context, void** context, bool create);
using ReleaseContext = int (*)(void* user_context);
using GetStream = int (*)(void* user_context, void* context, void** stream);
AcquireContext halide_set_cuda_acquire_context(AcquireContext handler);
ReleaseContext halide_set_cuda_release_context(ReleaseContext handler);
GetStream halide_set_cuda_get_stream(GetStream handler);
}

// Flags of halide_buffer_t.
inline constexpr std::uint64_t host_dirty = 1, device_dirty = 2;

// Tests that run on either kind of device run on OpenCL's, or where STRATA_TEST_CUDA is set, on
// CUDA's: the emulator's (emulator/launch.h), or a GPU (tests/gpu/run).
inline bool runs_on_cuda() { return std::getenv("STRATA_TEST_CUDA") != nullptr; }
inline const char* tested_target() { return runs_on_cuda() ? "host-cuda" : "host-opencl"; }
inline const void* tested_interface() {
  return runs_on_cuda() ? halide_cuda_device_interface() : halide_opencl_device_interface();
}
