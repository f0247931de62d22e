/* Wraps memory that other libraries have on the GPU, as arguments of kernels. */
#include <inttypes.h>
#include <string.h>

#include "runtime/device.h"
#include "runtime/error.h"

/* What is used of HalideRuntime.h, HalideRuntimeCuda.h, and of CUDA's driver. */
#define WEAK __attribute__((weak))
WEAK int halide_device_wrap_native(void* context, struct halide_buffer_t* buffer, uint64_t handle,
                                   const struct halide_device_interface_t* device);
WEAK int halide_device_detach_native(void* context, struct halide_buffer_t* buffer);
WEAK int halide_cuda_acquire_context(void* context, void** cuda_context, _Bool create);
WEAK int halide_cuda_release_context(void* context);
WEAK void* halide_cuda_get_symbol(void* context, const char* name);
typedef int (*get_attribute_t)(void* result, int attribute, uint64_t pointer);
enum { attribute_context = 1 };

/* The layout of DLTensor, which is the same from DLPack 0.2 to 1.x, and the constants that are
 * used. */
struct tensor {
  char* data;
  int32_t device_type, device_id;
  int32_t rank;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } type;
  const int64_t *shape, *strides;
  uint64_t byte_offset;
};
enum { on_cuda = 2, on_opencl = 4, on_cuda_managed = 13 };
enum { code_int = 0, code_uint = 1, code_float = 2, code_bfloat = 4, code_bool = 6 };

static const char memory_name[] = "strata_wrap_memory", tensor_name[] = "strata_wrap_tensor";

static int bad_shape(const char* function, int index, const char* what, int64_t number) {
  return strata_fail(strata_error_bad_shape,
                     "%s: the %s of index %d is %" PRId64 ", not from 0 to 2147483647", function,
                     what, index, number);
}

/* Dimensions with at most one element get stride 1: the stride given for them may be anything. */
static int describe(const char* function, strata_buffer* buffer, strata_type type, int rank,
                    strata_dimension* dimensions, const int64_t* extents, const int64_t* strides) {
  int64_t dense = 1;
  if (rank < 0 || rank > STRATA_MAX_RANK || (rank && (!dimensions || !extents)))
    return strata_fail(strata_error_bad_shape,
                       "%s: %d dimensions, or no list of them or of extents", function, rank);
  if (!type.bits) return strata_fail(strata_error_wrong_type, "%s: elements of 0 bits", function);
  buffer->type = type;
  buffer->dimensions = rank;
  buffer->dim = dimensions;
  for (int i = rank; i-- > 0;) {
    const int64_t extent = extents[i];
    const int64_t stride = extent <= 1 ? 1 : strides ? strides[i] : dense;
    if (extent < 0 || extent > INT32_MAX) return bad_shape(function, i, "extent", extent);
    if (stride < 0 || stride > INT32_MAX) return bad_shape(function, i, "stride", stride);
    const strata_dimension dimension = {0, (int32_t)extent, (int32_t)stride, 0};
    dimensions[rank - 1 - i] = dimension;
    if (__builtin_mul_overflow(dense, extent, &dense)) dense = INT64_MAX;
  }
  return 0;
}

static int is_empty(const strata_buffer* buffer) {
  for (int d = 0; d < buffer->dimensions; ++d)
    if (buffer->dim[d].extent == 0) return 1;
  return 0;
}

/* CUDA memory can be used only in its own context. In another one a launch would end the
 * context. */
static int check_context(const char* function, uint64_t memory) {
  void *context = NULL, *owner = NULL, *symbol;
  get_attribute_t get_attribute = NULL;
  strata_device_start();
  const int code = halide_cuda_acquire_context(NULL, &context, 1);
  if (code) return strata_device_failed(function, code);
  symbol = halide_cuda_get_symbol(NULL, "cuPointerGetAttribute");
  memcpy(&get_attribute, &symbol, sizeof symbol);
  const int known = get_attribute && get_attribute(&owner, attribute_context, memory) == 0 && owner;
  halide_cuda_release_context(NULL);
  if (!known || owner == context) return 0;
  return strata_fail(strata_error_not_resident,
                     "%s: the memory at 0x%" PRIx64
                     " belongs to another CUDA context than the one "
                     "that kernels run in; strata_use_cuda gives them the one of CUDA's runtime",
                     function, memory);
}

static int wrapped(const char* function, strata_buffer* buffer, int place, uint64_t memory) {
  const struct halide_device_interface_t* device = strata_interface(place);
  const int bytes = (buffer->type.bits + 7) / 8;
  if (!device || !halide_device_wrap_native)
    return strata_fail(strata_error_no_device, "%s: this program has no runtime for this device",
                       function);
  if (!memory && !is_empty(buffer))
    return strata_fail(strata_error_not_resident, "%s: the memory is null", function);
  if (place == 2 && memory % (uint64_t)bytes)
    return strata_fail(strata_error_misaligned,
                       "%s: the address 0x%" PRIx64
                       " is not a multiple of the %d bytes of an element",
                       function, memory, bytes);
  int code = place == 2 && memory ? check_context(function, memory) : 0;
  if (code) return code;
  strata_device_start();
  code = halide_device_wrap_native(NULL, strata_argument(buffer), memory, device);
  return code ? strata_device_failed(function, code) : 0;
}

int strata_wrap_memory(strata_buffer* buffer, strata_type type, const char* api, uint64_t memory,
                       int rank, strata_dimension* dimensions, const int64_t* extents,
                       const int64_t* strides) {
  memset(buffer, 0, sizeof *buffer);
  const int code = describe(memory_name, buffer, type, rank, dimensions, extents, strides);
  const int place = api ? strata_place_of(api) : 0;
  if (code) return code;
  if (!place)
    return strata_fail(strata_error_no_device,
                       "%s: the interface is neither \"opencl\" nor \"cuda\"", memory_name);
  return wrapped(memory_name, buffer, place, memory);
}

/* Booleans have 8 bits there, and 1 bit here. */
static int find_type(const struct tensor* tensor, strata_type* type) {
  const int code = tensor->type.code, bits = tensor->type.bits;
  const int is_power = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  const int known = code == code_int || code == code_uint ? is_power
                    : code == code_float                  ? is_power && bits > 8
                    : code == code_bfloat                 ? bits == 16
                                                          : code == code_bool && bits == 8;
  if (!known || tensor->type.lanes != 1)
    return strata_fail(strata_error_wrong_type,
                       "%s: no array has elements of DLPack's type code %d with %d bits and %d "
                       "lanes",
                       tensor_name, code, bits, tensor->type.lanes);
  *type = code == code_bool ? strata_boolean() : strata_type_of((uint8_t)code, (uint8_t)bits);
  return 0;
}

int strata_wrap_tensor(strata_buffer* buffer, strata_dimension* dimensions, const void* dl_tensor) {
  const struct tensor* tensor = dl_tensor;
  strata_type type;
  memset(buffer, 0, sizeof *buffer);
  if (!tensor) return strata_fail(strata_error_null_buffer, "%s: the tensor is null", tensor_name);
  const int device = tensor->device_type;
  const int is_cuda = device == on_cuda || device == on_cuda_managed;
  const int place = is_cuda ? 2 : device == on_opencl;
  if (!place)
    return strata_fail(
        strata_error_not_resident,
        "%s: the tensor is on a device of DLPack's type %d, neither CUDA (2, 13) nor "
        "OpenCL (4)",
        tensor_name, device);
  int code = find_type(tensor, &type);
  if (!code)
    code = describe(tensor_name, buffer, type, tensor->rank, dimensions, tensor->shape,
                    tensor->strides);
  if (code) return code;
  if (place == 1 && tensor->byte_offset)
    return strata_fail(strata_error_bad_shape,
                       "%s: the tensor begins %" PRIu64
                       " bytes into an OpenCL buffer; pass a "
                       "buffer of clCreateSubBuffer",
                       tensor_name, tensor->byte_offset);
  return wrapped(tensor_name, buffer, place,
                 (uint64_t)(uintptr_t)tensor->data + tensor->byte_offset);
}

void strata_unwrap(strata_buffer* buffer) {
  if (!buffer->device_interface) return;
  buffer->flags = 0;
  strata_device_start();
  halide_device_detach_native(NULL, strata_argument(buffer));
  buffer->device_interface = NULL;
}
