/* What a host program sees of kernels made by Strata: error codes, messages, threads, buffers.
 *
 * A kernel is a C function
 *     int NAME(int64_t parameter.., struct halide_buffer_t *buffer..)
 * declared by the header that was written beside its object file.  It returns 0, or one of the
 * negative codes below; then strata_last_error() says what was wrong with which argument.  What a
 * kernel finds wrong with its arguments it finds before it writes anything.
 *
 * The checks are made in the order of the codes' groups: parameters, assumptions and loops first,
 * then each buffer in the order of the arguments, then pairs of buffers.
 *
 * This header is C99 and C++, and can be included together with Halide's HalideRuntime.h and
 * HalideBuffer.h: every halide_buffer_t will do as an argument.
 */
#ifndef STRATA_RUNTIME_H
#define STRATA_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STRATA_VERSION_MAJOR 0
#define STRATA_VERSION_MINOR 1
#define STRATA_VERSION_PATCH 0
/* "0.1.0", of the library that was linked. */
const char *strata_version(void);

/* ---- errors ---- */

enum strata_code {
  strata_success = 0,

  /* A parameter is outside the range in which the kernel's index arithmetic is proved free of
   * overflow.  The message names the range. */
  strata_error_parameter_range = -101,
  /* A condition that the program assumes of its parameters does not hold. */
  strata_error_assumption = -102,
  /* A loop would make 2^31 steps or more, if it is reached. */
  strata_error_loop_too_long = -103,

  /* A buffer argument is a null pointer. */
  strata_error_null_buffer = -111,
  /* The buffer's elements have another type than the program's. */
  strata_error_wrong_type = -112,
  /* The buffer has another number of dimensions than the program's. */
  strata_error_wrong_rank = -113,
  /* The buffer's description is broken: a null list of dimensions, or a negative extent. */
  strata_error_bad_shape = -114,
  /* The bytes that the kernel would touch do not all have addresses, or the sum over the dimensions
   * of |index| * |stride| * size of an element, for the largest index touched or the buffer's min,
   * is 2^62 or more. */
  strata_error_too_large = -115,
  /* The kernel would touch elements that the buffer does not have. */
  strata_error_out_of_bounds = -116,
  /* The buffer has no host memory, though the kernel touches some of its elements. */
  strata_error_null_host = -117,
  /* The host pointer is not aligned to the size of an element. */
  strata_error_misaligned = -118,
  /* The newest contents of the buffer are on a device, not in host memory. */
  strata_error_device_dirty = -119,

  /* Between the first and the last byte that the kernel would touch of a buffer that is written,
   * there are bytes that it would touch of another argument, or that lie between such.  Elements
   * that only sizes are read from do not count: that is done before anything is written. */
  strata_error_overlap = -121,
  /* Elements of a buffer that is written may share memory: the stride of a dimension lies within what
   * the dimensions of smaller strides span. */
  strata_error_folded = -122,

  /* There was no memory for a temporary buffer.  The outputs may be partly written. */
  strata_error_out_of_memory = -131,
  /* An index that was computed from data lies outside the array: nothing was read or written there.
   * The outputs may be partly written, and are not to be used. */
  strata_error_index_out_of_range = -132,

  /* A kernel that was called in process got another number of arguments than it has. */
  strata_error_wrong_arguments = -141
};

/* The message of the last kernel that failed on this thread; "" before one did.  Valid until the
 * next failure on this thread. */
const char *strata_last_error(void);

/* Called on every failure, on the thread where it was found, with the code and the message; null,
 * as at the start, for nothing.  Returns the handler until now. */
typedef void (*strata_error_handler)(int code, const char *message);
strata_error_handler strata_set_error_handler(strata_error_handler handler);

/* ---- threads ---- */

/* How many threads run the parallel loops of all kernels of this process; 0 stands for the number
 * of cores.  Returns the number until now. */
int strata_set_number_of_threads(int number);
int strata_number_of_threads(void);

/* ---- buffers ---- */

struct halide_buffer_t;

/* The code and the number of bits of an element, as halide_type_t has them. */
typedef struct strata_type {
  uint8_t code; /* 0 signed integer, 1 unsigned integer or boolean, 2 float, 4 bfloat */
  uint8_t bits; /* 1 for boolean, which takes one byte */
  uint16_t lanes; /* 1 */
} strata_type;

static inline strata_type strata_type_of(uint8_t code, uint8_t bits) {
  strata_type type;
  type.code = code;
  type.bits = bits;
  type.lanes = 1;
  return type;
}
static inline strata_type strata_boolean(void) { return strata_type_of(1, 1); }
static inline strata_type strata_int(uint8_t bits) { return strata_type_of(0, bits); }
static inline strata_type strata_uint(uint8_t bits) { return strata_type_of(1, bits); }
static inline strata_type strata_float(uint8_t bits) { return strata_type_of(2, bits); }
static inline strata_type strata_bfloat16(void) { return strata_type_of(4, 16); }

/* The layout of halide_dimension_t and halide_buffer_t.  Dimension 0 is the last index of the
 * program's buffer; element (i0, i1, ..), by dimension, is at
 *     host + element_size * sum_d (i_d - dim[d].min) * dim[d].stride */
typedef struct strata_dimension {
  int32_t min, extent, stride;
  uint32_t flags;
} strata_dimension;

typedef struct strata_buffer {
  uint64_t device;
  const void *device_interface;
  uint8_t *host;
  uint64_t flags;
  strata_type type;
  int32_t dimensions;
  strata_dimension *dim;
  void *padding;
} strata_buffer;

/* The most dimensions that a buffer can have. */
#define STRATA_MAX_RANK 32

/* Describes dense memory: extents in the order of the program's indices, the last one innermost.
 * "dimensions" is storage for "rank" entries that lives as long as the buffer is used.  An extent
 * or a stride that int32_t does not hold makes a buffer that every kernel refuses. */
void strata_buffer_init(strata_buffer *buffer, strata_type type, void *host, int rank,
                        strata_dimension *dimensions, const int64_t *extents);

/* The same memory as an argument of a kernel. */
static inline struct halide_buffer_t *strata_argument(strata_buffer *buffer) {
  return (struct halide_buffer_t *)(void *)buffer;
}

/* ---- called by emitted code only ---- */

int strata_check_arguments(const char *names, const int64_t *facts,
                           struct halide_buffer_t *const *buffers);
int strata_out_of_memory(const char *kernel, const char *buffer, int64_t bytes);
int strata_index_out_of_range(const char* kernel, const char* what, int64_t index, int64_t lower,
                              int64_t upper);

#ifdef __cplusplus
}
#endif

#endif
