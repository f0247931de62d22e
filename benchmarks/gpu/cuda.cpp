#include "benchmarks/gpu/cuda.h"

#include <dlfcn.h>

#include <algorithm>

#include "benchmarks/gpu/device.h"

extern "C" {
using GetLibrarySymbol = void* (*)(void* library, const char* name);
GetLibrarySymbol halide_set_custom_get_library_symbol(GetLibrarySymbol handler);
void* halide_default_get_library_symbol(void* library, const char* name);
using AcquireContext = int (*)(void* user_context, void** context, bool create);
using ReleaseContext = int (*)(void* user_context);
AcquireContext halide_set_cuda_acquire_context(AcquireContext handler);
ReleaseContext halide_set_cuda_release_context(ReleaseContext handler);
}

namespace gpu_benchmark::cuda {

namespace {

void *driver = nullptr, *context = nullptr;
Code code;

template <typename... Arguments>
int tried(const char* name, Arguments... arguments) {
  void* found = dlsym(driver, name);
  if (!found) throw Failed(std::string("the driver has no ") + name);
  return reinterpret_cast<int (*)(Arguments...)>(found)(arguments...);
}

template <typename... Arguments>
void call(const char* name, Arguments... arguments) {
  if (const int failed = tried(name, arguments...))
    throw Failed(std::string(name) + ": code " + std::to_string(failed));
}

// In the place of cuLaunchKernel.
int launch(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
           unsigned bz, unsigned shared, void* stream, void** arguments, void** more) {
  constexpr int shared_bytes = 1, local_bytes = 3, registers = 4;
  const auto most = [&](int attribute, int& number) {
    int found = 0;
    if (tried("cuFuncGetAttribute", &found, attribute, function) == 0)
      number = std::max(number, found);
  };
  ++code.launches;
  most(registers, code.registers);
  most(local_bytes, code.local);
  most(shared_bytes, code.shared);
  code.shared = std::max(code.shared, int(shared));
  return tried("cuLaunchKernel", function, gx, gy, gz, bx, by, bz, shared, stream, arguments, more);
}

void* symbol(void* library, const char* name) {
  if (std::string(name) == "cuLaunchKernel") return reinterpret_cast<void*>(&launch);
  return halide_default_get_library_symbol(library, name);
}

int acquire(void*, void** shared, bool) {
  *shared = context;
  return 0;
}
int release(void*) { return 0; }

}  // namespace

bool start() {
  // The runtime looks for libcuda.so, and among what is loaded.
  for (const char* name : {"libcuda.so.1", "libcuda.so"})
    if (!driver) driver = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  int devices = 0, device = 0;
  if (!driver || tried("cuInit", 0u) || tried("cuDeviceGetCount", &devices) || devices == 0)
    return false;
  call("cuDeviceGet", &device, 0);
  call("cuDevicePrimaryCtxRetain", &context, device);
  call("cuCtxSetCurrent", context);
  halide_set_custom_get_library_symbol(symbol);
  halide_set_cuda_acquire_context(acquire);
  halide_set_cuda_release_context(release);
  return true;
}

std::string device_name() {
  char name[256] = "";
  int processors = 0;
  constexpr int multiprocessors = 16;
  call("cuDeviceGetName", name, int(sizeof name), 0);
  call("cuDeviceGetAttribute", &processors, multiprocessors, 0);
  return name + (", " + std::to_string(processors)) + " multiprocessors";
}

Memory::Memory(std::size_t bytes) {
  call("cuMemAlloc_v2", &address_, std::max<std::size_t>(bytes, 1));
}

void copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  call("cuMemcpyDtoDAsync_v2", to, from, bytes, static_cast<void*>(nullptr));
}

double seconds(const std::function<void()>& run) {
  static void *before = nullptr, *after = nullptr;
  void* const stream = nullptr;
  if (!before) {
    call("cuEventCreate", &before, 0u);
    call("cuEventCreate", &after, 0u);
  }
  call("cuEventRecord", before, stream);
  run();
  call("cuEventRecord", after, stream);
  call("cuEventSynchronize", after);
  float milliseconds = 0;
  call("cuEventElapsedTime", &milliseconds, before, after);
  return double(milliseconds) * 1e-3;
}

Code take_code() { return std::exchange(code, Code()); }

}  // namespace gpu_benchmark::cuda
