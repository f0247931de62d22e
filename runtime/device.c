/* The GPU. Before Halide's runtime returns a code, it gives a text to its error handler, which by
 * default ends the process. Halide's functions are weak here: programs without launches need
 * none. */
#include "runtime/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/pocl.h"

typedef void (*halide_error_handler_t)(void* context, const char* text);
typedef struct halide_device_interface_t halide_device_interface_t;
#define WEAK __attribute__((weak))
WEAK halide_error_handler_t halide_set_error_handler(halide_error_handler_t handler);
WEAK int halide_device_malloc(void* context, struct halide_buffer_t* buffer,
                              const halide_device_interface_t* device);
WEAK int halide_device_free(void* context, struct halide_buffer_t* buffer);
WEAK int halide_buffer_copy(void* context, struct halide_buffer_t* from,
                            const halide_device_interface_t* device, struct halide_buffer_t* to);
WEAK int halide_device_sync(void* context, struct halide_buffer_t* buffer);
WEAK int halide_reuse_device_allocations(void* context, _Bool reuse);
WEAK uintptr_t halide_opencl_get_cl_mem(void* context, const struct halide_buffer_t* buffer);
WEAK const halide_device_interface_t* halide_opencl_device_interface(void);
WEAK const halide_device_interface_t* halide_cuda_device_interface(void);

/* Codes of Halide's runtime, and flags of halide_buffer_t (HalideRuntime.h). */
enum { device_malloc_failed = -16, incompatible_device_interface = -21, gpu_device_error = -29 };
enum { host_dirty = 1, device_dirty = 2 };

static _Thread_local char reported[strata_message_size - 128];
static atomic_llong bytes_to_device, bytes_to_host;

/* In the lines that follow a first line: the line break before the first line with "error", or the
 * start if there is none. */
static const char* first_error_in(const char* rest) {
  const char* at = strstr(rest, "error");
  if (!at) return rest;
  while (*at != '\n') --at;
  return at;
}

/* Keeps what Halide reports. If a build has failed, the log of the driver's compiler follows the
 * first line. If there is no room for the whole log, this keeps the log from its first error on. */
static void keep(void* context, const char* text) {
  (void)context;
  const char *rest = text + strcspn(text, "\n"), *end = text + strlen(text);
  while (end > rest && end[-1] == '\n') --end;
  const char* from = (size_t)(end - text) < sizeof reported ? rest : first_error_in(rest);
  snprintf(reported, sizeof reported, "%.*s%.*s", (int)(rest - text), text, (int)(end - from),
           from);
}

static void set_handler(void) {
  if (halide_set_error_handler) halide_set_error_handler(keep);
}

int strata_device_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_handler);
  reported[0] = 0;
  strata_shared_memory_refused(NULL);
  return 0;
}

static const char* text_reported(void) { return reported[0] ? reported : "no more is known"; }

int strata_launch_failed(const char* kernel, int code) {
  int most = 0;
  const unsigned asked = strata_shared_memory_refused(&most);
  if (asked)
    return strata_fail(strata_error_device,
                       "%s: a launch needs %u bytes of shared memory for a block, which the GPU's "
                       "driver refuses: the GPU has %d; make the tiles smaller, or compile for "
                       "that GPU's capability",
                       kernel, asked, most);
  return strata_fail(strata_error_device, "%s: the GPU's driver fails with code %d: %s", kernel,
                     code, text_reported());
}

int strata_device_failed(const char* kernel, int code) {
  const char* text = text_reported();
  if (code == device_malloc_failed)
    return strata_fail(strata_error_device_memory, "%s: out of memory on the GPU: %s", kernel,
                       text);
  if (code == incompatible_device_interface || code == gpu_device_error)
    return strata_fail(strata_error_no_device, "%s: no GPU can be used: %s", kernel, text);
  return strata_launch_failed(kernel, code);
}

static strata_buffer* fields(struct halide_buffer_t* buffer) {
  return (strata_buffer*)(void*)buffer;
}

static int64_t bytes_of(const strata_buffer* buffer) {
  int64_t bytes = (buffer->type.bits + 7) / 8;
  for (int d = 0; d < buffer->dimensions; ++d) bytes *= buffer->dim[d].extent;
  return bytes;
}

static void set_flags(struct halide_buffer_t* buffer, uint64_t flags) {
  fields(buffer)->flags = (fields(buffer)->flags & ~(uint64_t)(host_dirty | device_dirty)) | flags;
}

int strata_device_allocate(const char* kernel, struct halide_buffer_t* buffer,
                           const halide_device_interface_t* device) {
  static atomic_int told;
  const int code = halide_device_malloc(NULL, buffer, device);
  if (code) return strata_device_failed(kernel, code);
  if (device == strata_interface(1) && !atomic_exchange(&told, 1))
    strata_tell_of_pocl(strata_memory_of(buffer, 1));
  return 0;
}

int strata_copy_to_device(const char* kernel, struct halide_buffer_t* buffer,
                          struct halide_buffer_t* host, const halide_device_interface_t* device) {
  const int code = halide_buffer_copy(NULL, host, device, buffer);
  if (code) return strata_launch_failed(kernel, code);
  atomic_fetch_add(&bytes_to_device, bytes_of(fields(buffer)));
  return 0;
}

/* Halide's call returns before a copy to pinned memory of the host is complete. */
int strata_copy_to_host(const char* kernel, struct halide_buffer_t* buffer,
                        struct halide_buffer_t* host, const halide_device_interface_t* device) {
  (void)device;
  int code = halide_buffer_copy(NULL, buffer, NULL, host);
  if (!code) code = halide_device_sync(NULL, buffer);
  if (code) return strata_launch_failed(kernel, code);
  atomic_fetch_add(&bytes_to_host, bytes_of(fields(buffer)));
  return 0;
}

int strata_written_on_device(struct halide_buffer_t* buffer) {
  set_flags(buffer, device_dirty);
  return 0;
}

strata_device_traffic strata_device_traffic_so_far(void) {
  const strata_device_traffic traffic = {atomic_load(&bytes_to_device),
                                         atomic_load(&bytes_to_host)};
  return traffic;
}

int strata_place_of(const char* api) {
  return !strcmp(api, "opencl") ? 1 : !strcmp(api, "cuda") ? 2 : 0;
}

const halide_device_interface_t* strata_interface(int place) {
  if (place == 1 && halide_opencl_device_interface) return halide_opencl_device_interface();
  if (place == 2 && halide_cuda_device_interface) return halide_cuda_device_interface();
  return NULL;
}

/* In OpenCL each buffer has a handle of its own, which holds the cl_mem. */
uintptr_t strata_memory_of(const struct halide_buffer_t* buffer, int place) {
  const strata_buffer* b = (const strata_buffer*)(const void*)buffer;
  return place == 1 && b->device ? halide_opencl_get_cl_mem(NULL, buffer) : (uintptr_t)b->device;
}

/* Allocates one byte on the device. That fails where kernels would fail. */
int strata_gpu_available(const char* api) {
  const halide_device_interface_t* device = strata_interface(strata_place_of(api));
  if (!device) return 0;
  strata_device_start();
  const int64_t one = 1;
  strata_dimension dimension;
  strata_buffer byte;
  strata_buffer_init(&byte, strata_uint(8), NULL, 1, &dimension, &one);
  struct halide_buffer_t* buffer = strata_argument(&byte);
  if (halide_device_malloc(NULL, buffer, device)) return 0;
  halide_device_free(NULL, buffer);
  return 1;
}

void strata_release_device_memory(void) {
  if (!halide_reuse_device_allocations) return;
  strata_device_start();
  halide_reuse_device_allocations(NULL, 0);
  halide_reuse_device_allocations(NULL, 1);
}
