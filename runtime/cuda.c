/* Launches on CUDA whose blocks have more than 48 KB of shared memory. The driver must be asked for
 * so much.
 *
 * Halide's runtime does not ask. It looks up the driver's functions by halide_cuda_get_symbol, a
 * weak function. The one here takes its place, and returns a cuLaunchKernel that asks first. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "runtime/device.h"

#define WEAK __attribute__((weak))
WEAK void* halide_get_library_symbol(void* library, const char* name);
WEAK void* halide_load_library(const char* name);
void* halide_cuda_get_symbol(void* context, const char* name);

/* What is used of cuda.h. */
typedef int (*launch_t)(void* function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                        unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared,
                        void* stream, void** arguments, void** extra);
typedef int (*set_attribute_t)(void* function, int attribute, int value);
typedef int (*get_device_t)(int* device);
typedef int (*get_device_attribute_t)(int* value, int attribute, int device);
enum { function_shared_bytes = 8, device_shared_bytes = 97 };
enum { invalid_value = 1, not_supported = 801 };
enum { bytes_without_asking = 48 * 1024 };

static _Thread_local unsigned refused;
static _Thread_local int device_has;
static _Atomic(launch_t) driver_launch;

unsigned strata_shared_memory_refused(int* most) {
  const unsigned bytes = refused;
  if (most) *most = device_has;
  refused = 0;
  return bytes;
}

static void* find(const char* name) {
  static _Atomic(void*) driver;
  void* const known = halide_get_library_symbol(atomic_load(&driver), name);
  if (known) return known;
  atomic_store(&driver, halide_load_library("libcuda.so"));
  return halide_get_library_symbol(atomic_load(&driver), name);
}

#define FIND(function, name)                     \
  do {                                           \
    void* const symbol = find(name);             \
    memcpy(&(function), &symbol, sizeof symbol); \
  } while (0)

static int shared_bytes_of_device(void) {
  get_device_t get_device;
  get_device_attribute_t get_attribute;
  int device = 0, bytes = 0;
  FIND(get_device, "cuCtxGetDevice");
  FIND(get_attribute, "cuDeviceGetAttribute");
  const int known = get_device && get_attribute && !get_device(&device) &&
                    !get_attribute(&bytes, device_shared_bytes, device);
  return known ? bytes : 0;
}

/* Returns a code of the driver, 0 for success. Only the two codes below are about the bytes. */
static int ask(void* function, unsigned bytes) {
  set_attribute_t set_attribute;
  FIND(set_attribute, "cuFuncSetAttribute");
  const int code =
      set_attribute ? set_attribute(function, function_shared_bytes, (int)bytes) : not_supported;
  if (code == invalid_value || code == not_supported) {
    refused = bytes;
    device_has = shared_bytes_of_device();
  }
  return code;
}

static int launch(void* function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                  unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared,
                  void* stream, void** arguments, void** extra) {
  const int code = shared > bytes_without_asking ? ask(function, shared) : 0;
  return code ? code
              : atomic_load(&driver_launch)(function, blocks_x, blocks_y, blocks_z, threads_x,
                                            threads_y, threads_z, shared, stream, arguments, extra);
}

void* halide_cuda_get_symbol(void* context, const char* name) {
  (void)context;
  void* symbol = find(name);
  if (!symbol || strcmp(name, "cuLaunchKernel") != 0) return symbol;
  launch_t function;
  memcpy(&function, &symbol, sizeof symbol);
  atomic_store(&driver_launch, function);
  function = launch;
  memcpy(&symbol, &function, sizeof symbol);
  return symbol;
}
