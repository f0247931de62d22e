#include "runtime/buffer_checks.h"

#include <inttypes.h>
#include <stdio.h>

#include "runtime/device.h"
#include "runtime/error.h"

enum { host_dirty = 1, device_dirty = 2 }; /* flags of halide_buffer_t */

static int element_size(strata_type type) { return (type.bits + 7) / 8; }

enum { longest_type = 32 };

/* "float32", the name in the program; with lanes, "float32 x 4". */
static const char* name_of(strata_type type, char name[longest_type]) {
  static const char* const kinds[] = {"int", "uint", "float", "handle", "bfloat"};
  const int is_known = type.code < sizeof kinds / sizeof *kinds;
  char lanes[longest_type / 2] = "";
  if (type.lanes != 1) snprintf(lanes, sizeof lanes, " x %d", type.lanes);
  if (type.code == 1 && type.bits == 1)
    snprintf(name, longest_type, "bool%s", lanes);
  else if (is_known)
    snprintf(name, longest_type, "%s%d%s", kinds[type.code], type.bits, lanes);
  else
    snprintf(name, longest_type, "code %d of %d bits%s", type.code, type.bits, lanes);
  return name;
}

/* The index of the program that is dimension d of the description, and the reverse. */
static int index_of(const struct strata_argument* a, int d) { return a->rank - 1 - d; }

static int check_head(struct strata_name kernel, const struct strata_argument* a,
                      const strata_buffer* b) {
  if (!b)
    return strata_fail(strata_error_null_buffer, "%.*s: buffer %.*s is a null pointer",
                       NAME(kernel), NAME(a->name));
  char has[longest_type], wanted[longest_type];
  if (b->type.code != a->type.code || b->type.bits != a->type.bits || b->type.lanes != 1)
    return strata_fail(strata_error_wrong_type,
                       "%.*s: buffer %.*s has elements of type %s, but the program's are %s",
                       NAME(kernel), NAME(a->name), name_of(b->type, has),
                       name_of(a->type, wanted));
  if (b->dimensions != a->rank)
    return strata_fail(strata_error_wrong_rank,
                       "%.*s: buffer %.*s has %d dimensions, but the program's has %d",
                       NAME(kernel), NAME(a->name), b->dimensions, a->rank);
  if (a->rank > 0 && !b->dim)
    return strata_fail(strata_error_bad_shape,
                       "%.*s: buffer %.*s has %d dimensions, but its list of them is null",
                       NAME(kernel), NAME(a->name), a->rank);
  for (int d = 0; d < a->rank; ++d)
    if (b->dim[d].extent < 0)
      return strata_fail(strata_error_bad_shape,
                         "%.*s: the extent of dimension %d of buffer %.*s is %" PRId32,
                         NAME(kernel), index_of(a, d), NAME(a->name), b->dim[d].extent);
  return 0;
}

/* True if the kernel touches an element. False if some upper <= lower. */
static int is_touched(const struct strata_argument* a) {
  for (int i = 0; i < a->rank; ++i)
    if (a->bounds[2 * i + 1] <= a->bounds[2 * i]) return 0;
  return 1;
}

static int check_bounds(struct strata_name kernel, const struct strata_argument* a,
                        const strata_buffer* b) {
  for (int i = 0; i < a->rank; ++i) {
    const int d = index_of(a, i);
    const int64_t lower = a->bounds[2 * i], upper = a->bounds[2 * i + 1];
    const int64_t min = b->dim[d].min, end = min + (int64_t)b->dim[d].extent;
    if (lower < min || upper > end)
      return strata_fail(strata_error_out_of_bounds,
                         "%.*s: buffer %.*s is accessed from %" PRId64 " to %" PRId64
                         " in dimension %d, but has elements %" PRId64 " to %" PRId64 " there",
                         NAME(kernel), NAME(a->name), lower, upper - 1, i, min, end - 1);
  }
  return 0;
}

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

static int64_t largest(int64_t x, int64_t y) { return x > y ? x : y; }

/* Finds the bytes that the kernel may touch. Each dimension contributes the distance from its first
 * to its last touched element, up or down. Emitted code counts from index 0. So twice the sum of
 * the largest |i| * |stride|, in bytes, must also fit in 64 bits, where i is a touched index or
 * "min". */
static int find_bytes(struct strata_name kernel, struct strata_argument* a,
                      const strata_buffer* b) {
  const int64_t size = element_size(a->type);
  int64_t down = 0, up = size - 1, reach = size;
  int overflow = 0;
  for (int i = 0; i < a->rank; ++i) {
    const strata_dimension* d = &b->dim[index_of(a, i)];
    const int64_t stride = d->stride, lower = a->bounds[2 * i], last = a->bounds[2 * i + 1] - 1;
    const int64_t most = largest(largest(magnitude(lower), magnitude(last)), magnitude(d->min));
    int64_t bytes;
    overflow |= __builtin_mul_overflow(most, 2 * size * magnitude(stride), &bytes);
    overflow |= __builtin_add_overflow(reach, bytes, &reach);
    if (overflow) break;
    down += (stride < 0 ? last - d->min : lower - d->min) * stride * size;
    up += (stride < 0 ? lower - d->min : last - d->min) * stride * size;
  }
  const struct halide_buffer_t* buffer = (const struct halide_buffer_t*)(const void*)b;
  const uintptr_t host = a->place ? strata_memory_of(buffer, a->place) : (uintptr_t)b->host;
  a->first = host + (uintptr_t)down;
  a->last = host + (uintptr_t)up;
  overflow |= (down < 0 ? a->first > host : a->first < host);
  overflow |= (up < 0 ? a->last > host : a->last < host);
  if (!overflow) return 0;
  return strata_fail(strata_error_too_large,
                     "%.*s: the extents and strides of buffer %.*s exceed the address space",
                     NAME(kernel), NAME(a->name));
}

static int check_memory(struct strata_name kernel, const struct strata_argument* a,
                        const strata_buffer* b) {
  if (!b->host)
    return strata_fail(strata_error_null_host,
                       "%.*s: the kernel accesses elements of buffer %.*s, but its host pointer is "
                       "null",
                       NAME(kernel), NAME(a->name));
  if ((uintptr_t)b->host % (uintptr_t)element_size(a->type) != 0)
    return strata_fail(strata_error_misaligned,
                       "%.*s: the host pointer %p of buffer %.*s is not a multiple of the %d bytes "
                       "of an element",
                       NAME(kernel), (const void*)b->host, NAME(a->name), element_size(a->type));
  if (b->flags & device_dirty)
    return strata_fail(strata_error_device_dirty,
                       "%.*s: the newest contents of buffer %.*s are on a device; copy them to the "
                       "host first",
                       NAME(kernel), NAME(a->name));
  return 0;
}

static int not_resident(struct strata_name kernel, const struct strata_argument* a,
                        const char* why) {
  return strata_fail(strata_error_not_resident,
                     "%.*s: buffer %.*s is resident on the GPU (%s), but %s", NAME(kernel),
                     NAME(a->name), a->place == 2 ? "CUDA" : "OpenCL", why);
}

/* Halide's runtime looks into the handle of an OpenCL buffer even in launches that touch none of
 * its elements. */
int strata_check_handle(struct strata_name kernel, const struct strata_argument* a,
                        const struct halide_buffer_t* buffer) {
  const strata_buffer* b = (const strata_buffer*)(const void*)buffer;
  return a->place != 1 || b->device ? 0 : not_resident(kernel, a, "has no memory there");
}

/* A resident buffer must have device memory of the kernel's interface, and nothing newer on the
 * host. An output may be marked as newer there: a caller that fills it does so, and the kernel
 * overwrites it. */
static int check_residence(struct strata_name kernel, const struct strata_argument* a,
                           const strata_buffer* b) {
  const char* why = 0;
  if (!b->device)
    why = "has no memory there";
  else if (b->device_interface != strata_interface(a->place))
    why = "has memory of another interface";
  else if (a->read && (b->flags & host_dirty))
    why = "has its newest contents in host memory; copy them to the device first";
  for (int d = 0; !why && d < a->rank; ++d)
    if (b->dim[d].stride < 0)
      why = "has a negative stride, and its device pointer no elements below";
  return why ? not_resident(kernel, a, why) : 0;
}

/* The number of steps from the first to the last touched element in dimension d. */
static int64_t steps_in(const struct strata_argument* a, int d) {
  const int i = index_of(a, d);
  return a->bounds[2 * i + 1] - 1 - a->bounds[2 * i];
}

static int64_t stride_of(const strata_buffer* b, int d) { return magnitude(b->dim[d].stride); }

/* Elements have distinct places if, in the order of strides, the stride of each dimension exceeds
 * the span of all dimensions with smaller strides. */
static int check_folds(struct strata_name kernel, const struct strata_argument* a,
                       const strata_buffer* b) {
  for (int d = 0; d < a->rank; ++d) {
    if (steps_in(a, d) == 0) continue;
    int64_t span = 0;
    for (int e = 0; e < a->rank; ++e) {
      const int before =
          stride_of(b, e) < stride_of(b, d) || (stride_of(b, e) == stride_of(b, d) && e < d);
      if (before) span += steps_in(a, e) * stride_of(b, e);
    }
    if (stride_of(b, d) <= span)
      return strata_fail(strata_error_folded,
                         "%.*s: buffer %.*s is written, but its elements may share memory: the "
                         "stride of dimension %d is %" PRId32
                         ", and dimensions of smaller strides "
                         "span %" PRId64 " elements",
                         NAME(kernel), NAME(a->name), index_of(a, d), b->dim[d].stride, span + 1);
  }
  return 0;
}

int strata_check_buffer(struct strata_name kernel, struct strata_argument* a,
                        const struct halide_buffer_t* buffer) {
  const strata_buffer* b = (const strata_buffer*)(const void*)buffer;
  int code = check_head(kernel, a, b);
  if (code) return code;
  a->first = 1;
  a->last = 0;
  if (!is_touched(a)) return 0;
  code = check_bounds(kernel, a, b);
  if (!code) code = a->place ? check_residence(kernel, a, b) : check_memory(kernel, a, b);
  if (!code) code = find_bytes(kernel, a, b);
  if (!code && a->place == 1) a->first = a->last = strata_memory_of(buffer, a->place);
  return code || !a->written ? code : check_folds(kernel, a, b);
}
