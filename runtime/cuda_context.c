/* Kernels in CUDA's primary contexts, in the caller's streams. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/device.h"

/* What is used of HalideRuntime.h, HalideRuntimeCuda.h, and of CUDA's driver. */
#define WEAK __attribute__((weak))
typedef int (*acquire_t)(void* context, void** cuda_context, _Bool create);
typedef int (*stream_t)(void* context, void* cuda_context, void** stream);
WEAK acquire_t halide_set_cuda_acquire_context(acquire_t handler);
WEAK stream_t halide_set_cuda_get_stream(stream_t handler);
WEAK int halide_get_gpu_device(void* context);
WEAK void halide_error(void* context, const char* text);
WEAK void* halide_cuda_get_symbol(void* context, const char* name);
enum { gpu_device_error = -29 };
typedef int (*initialize_t)(unsigned flags);
typedef int (*count_t)(int* count);
typedef int (*retain_t)(void** context, int device);

enum { most_devices = 64 };
static _Atomic(void*) contexts[most_devices];
static acquire_t acquire_before;
static _Thread_local int device_chosen = -1;
static _Thread_local void* stream_chosen;

static int device_error(void* user, int device, const char* why, int number) {
  char text[160];
  snprintf(text, sizeof text, "CUDA's device %d cannot be used: %s %d", device, why, number);
  halide_error(user, text);
  return gpu_device_error;
}

/* The number of devices; 0 if there is no driver. */
static int count_devices(void) {
  void* const init = halide_cuda_get_symbol(NULL, "cuInit");
  void* const get_count = halide_cuda_get_symbol(NULL, "cuDeviceGetCount");
  initialize_t initialize;
  count_t count;
  int devices = 0;
  memcpy(&initialize, &init, sizeof init);
  memcpy(&count, &get_count, sizeof get_count);
  return init && get_count && !initialize(0) && !count(&devices) ? devices : 0;
}

/* CUDA's runtime numbers devices as the driver does. Two threads that come here at once retain the
 * same context twice. That is harmless, since it is never released. */
static int retain(void* user, int device, void** context) {
  const int devices = count_devices();
  void* const symbol = halide_cuda_get_symbol(NULL, "cuDevicePrimaryCtxRetain");
  retain_t retain_primary;
  if (!devices || !symbol) return acquire_before(user, context, 1); /* reports what is missing */
  if (device >= devices || device >= most_devices)
    return device_error(user, device, "the number of devices is", devices);
  memcpy(&retain_primary, &symbol, sizeof symbol);
  const int code = retain_primary(context, device);
  if (code) return device_error(user, device, "cuDevicePrimaryCtxRetain fails with code", code);
  atomic_store(&contexts[device], *context);
  return 0;
}

static int acquire(void* user, void** context, _Bool create) {
  const int usual = halide_get_gpu_device(user), other = usual < 0 ? 0 : usual;
  const int device = device_chosen < 0 ? other : device_chosen;
  *context = device < most_devices ? atomic_load(&contexts[device]) : NULL;
  return *context || !create ? 0 : retain(user, device, context);
}

static int get_stream(void* user, void* context, void** stream) {
  (void)user, (void)context;
  *stream = stream_chosen;
  return 0;
}

static void install(void) {
  if (!halide_set_cuda_acquire_context) return;
  acquire_before = halide_set_cuda_acquire_context(acquire);
  halide_set_cuda_get_stream(get_stream);
}

void strata_use_cuda(int device, void* stream) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  device_chosen = device;
  stream_chosen = stream;
}
