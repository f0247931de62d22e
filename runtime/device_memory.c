/* Memory on the GPU, for programs that have no other library for it. */
#include <string.h>

#include "runtime/device.h"
#include "runtime/error.h"

/* What is used of HalideRuntime.h. */
#define WEAK __attribute__((weak))
struct halide_device_interface_t;
WEAK int halide_device_malloc(void* context, struct halide_buffer_t* buffer,
                              const struct halide_device_interface_t* device);
WEAK int halide_device_free(void* context, struct halide_buffer_t* buffer);
WEAK int halide_buffer_copy(void* context, struct halide_buffer_t* from,
                            const struct halide_device_interface_t* device,
                            struct halide_buffer_t* to);
WEAK int halide_device_sync(void* context, struct halide_buffer_t* buffer);

static const char allocate_name[] = "strata_allocate_on_device", copy_name[] = "strata_copy_array",
                  wait_name[] = "strata_wait_for_device";

int strata_allocate_on_device(strata_buffer* buffer, const char* api) {
  const struct halide_device_interface_t* device = strata_interface(strata_place_of(api));
  if (!device)
    return strata_fail(strata_error_no_device, "%s: this program has no runtime for the device %s",
                       allocate_name, api);
  for (int d = 0; d < buffer->dimensions; ++d)
    if (buffer->dim[d].extent <= 0)
      return strata_fail(strata_error_bad_shape, "%s: the buffer has no elements", allocate_name);
  strata_device_start();
  const int code = halide_device_malloc(NULL, strata_argument(buffer), device);
  return code ? strata_device_failed(allocate_name, code) : 0;
}

void strata_free_on_device(strata_buffer* buffer) {
  if (!buffer->device) return;
  strata_device_start();
  halide_device_free(NULL, strata_argument(buffer));
}

static strata_buffer* fields_of(struct halide_buffer_t* argument) {
  return (strata_buffer*)(void*)argument;
}

static int same_shape(const strata_buffer* a, const strata_buffer* b) {
  int same = a->dimensions == b->dimensions && a->type.code == b->type.code &&
             a->type.bits == b->type.bits;
  for (int d = 0; same && d < a->dimensions; ++d)
    same = a->dim[d].extent == b->dim[d].extent && a->dim[d].min == b->dim[d].min;
  return same;
}

/* Copies what dimensions 0 to d - 1 span from these elements on; both buffers have one shape. */
static void copy_elements(const strata_buffer* source, const strata_buffer* target, int d,
                          const uint8_t* from, uint8_t* to) {
  const int64_t bytes = (source->type.bits + 7) / 8;
  if (d == 0) {
    memcpy(to, from, (size_t)bytes);
    return;
  }
  const int64_t step_from = source->dim[d - 1].stride, step_to = target->dim[d - 1].stride,
                extent = source->dim[d - 1].extent;
  if (d == 1 && step_from == 1 && step_to == 1) {
    memcpy(to, from, (size_t)(extent * bytes));
    return;
  }
  for (int64_t k = 0; k < extent; ++k)
    copy_elements(source, target, d - 1, from + k * step_from * bytes, to + k * step_to * bytes);
}

int strata_copy_array(struct halide_buffer_t* from, struct halide_buffer_t* to) {
  strata_buffer *const source = fields_of(from), *const target = fields_of(to);
  if (!same_shape(source, target))
    return strata_fail(strata_error_bad_shape, "%s: the arrays differ in type or shape", copy_name);
  for (int d = 0; d < source->dimensions; ++d)
    if (source->dim[d].extent == 0) return 0;
  if ((!source->host && !source->device) || (!target->host && !target->device))
    return strata_fail(strata_error_null_host, "%s: an array has no memory", copy_name);
  if (!halide_buffer_copy) {
    if (!source->host || source->device || !target->host || target->device)
      return strata_fail(strata_error_no_device, "%s: this program has no runtime for devices",
                         copy_name);
    copy_elements(source, target, source->dimensions, source->host, target->host);
    return 0;
  }
  strata_device_start();
  int code = halide_buffer_copy(NULL, from, target->host ? NULL : target->device_interface, to);
  source->flags = target->flags = 0;
  struct halide_buffer_t* const there = target->host ? from : to;
  if (!code && fields_of(there)->device) code = halide_device_sync(NULL, there);
  return code ? strata_launch_failed(copy_name, code) : 0;
}

int strata_wait_for_device(struct halide_buffer_t* argument) {
  if (!fields_of(argument)->device) return 0;
  strata_device_start();
  const int code = halide_device_sync(NULL, argument);
  return code ? strata_launch_failed(wait_name, code) : 0;
}

uintptr_t strata_device_memory(const strata_buffer* buffer) {
  const int place = buffer->device_interface == strata_interface(1) ? 1 : 2;
  return strata_memory_of((const struct halide_buffer_t*)(const void*)buffer, place);
}
