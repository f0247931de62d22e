/* Errors of GPUs.  Halide's runtime gives a code, and before that a text to its error handler, which
 * by default ends the process. */
#include "runtime/device.h"

#include <pthread.h>
#include <string.h>

#include "runtime/error.h"

typedef void (*halide_error_handler_t)(void *context, const char *text);
__attribute__((weak)) halide_error_handler_t halide_set_error_handler(halide_error_handler_t handler);

/* Codes of Halide's runtime (HalideRuntime.h). */
enum { device_malloc_failed = -16, incompatible_device_interface = -21, gpu_device_error = -29 };

static _Thread_local char reported[strata_message_size / 2];

static void keep(void *context, const char *text) {
  (void)context;
  const size_t length = strcspn(text, "\n");
  const size_t kept = length < sizeof reported ? length : sizeof reported - 1;
  memcpy(reported, text, kept);
  reported[kept] = 0;
}

static void set_handler(void) {
  if (halide_set_error_handler) halide_set_error_handler(keep);
}

int strata_device_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_handler);
  reported[0] = 0;
  return 0;
}

int strata_device_failed(const char *kernel, int code) {
  const char *text = reported[0] ? reported : "no more is known";
  if (code == device_malloc_failed)
    return strata_fail(strata_error_device_memory, "%s: out of memory on the GPU: %s", kernel, text);
  if (code == incompatible_device_interface || code == gpu_device_error)
    return strata_fail(strata_error_no_device, "%s: no GPU can be used: %s", kernel, text);
  return strata_fail(strata_error_device, "%s: the GPU's driver fails with code %d: %s", kernel, code,
                     text);
}
