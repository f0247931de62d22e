/* The host program's interface to Strata's kernels: error codes, messages, threads, buffers.
 *
 * A kernel is a C function
 *     int NAME(int64_t parameter.., struct halide_buffer_t *buffer..)
 * declared by the header written with its object file. It returns 0, or one of the negative codes
 * below; then strata_last_error() says what is wrong with which argument. A kernel checks its
 * arguments before it writes anything.
 *
 * The checks run in the order of the codes' groups: parameters, assumptions and loops first, then
 * each buffer in the order of the arguments, then pairs of buffers.
 *
 * This header is C99 and C++, and can be included together with Halide's HalideRuntime.h and
 * HalideBuffer.h: any halide_buffer_t can be an argument.
 */
#ifndef STRATA_RUNTIME_H
#define STRATA_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CMake and pip read the version here. */
#define STRATA_VERSION_MAJOR 0
#define STRATA_VERSION_MINOR 2
#define STRATA_VERSION_PATCH 0
/* The version of the linked library, as "0.2.0". */
const char* strata_version(void);

/* ---- errors ---- */

enum strata_code {
  strata_success = 0,

  /* A parameter is outside the range in which the kernel's index arithmetic is proved free of
   * overflow. The message names the range. */
  strata_error_parameter_range = -101,
  /* The program's assumptions on its parameters do not hold. */
  strata_error_assumption = -102,
  /* A loop that may be reached would have 2^31 iterations or more. */
  strata_error_loop_too_long = -103,
  /* A launch would have more blocks on an axis than the target's devices. */
  strata_error_grid_too_large = -104,

  /* A buffer argument is a null pointer. */
  strata_error_null_buffer = -111,
  /* The element type differs from the program's. */
  strata_error_wrong_type = -112,
  /* The number of dimensions differs from the program's. */
  strata_error_wrong_rank = -113,
  /* The buffer's description is invalid: a null list of dimensions, or a negative extent. */
  strata_error_bad_shape = -114,
  /* Some bytes that the kernel would access have no address, or the sum over the dimensions of
   * |index| * |stride| * element size, for the largest index accessed or the buffer's min, is 2^62
   * or more. */
  strata_error_too_large = -115,
  /* The kernel would access elements that the buffer does not have. */
  strata_error_out_of_bounds = -116,
  /* The buffer has no host memory, but the kernel accesses some of its elements. */
  strata_error_null_host = -117,
  /* The host pointer is not aligned to the size of an element. */
  strata_error_misaligned = -118,
  /* The newest contents of the buffer are on a device, not in host memory. */
  strata_error_device_dirty = -119,

  /* Two arguments, at least one of them written, overlap: their ranges from the first to the last
   * byte that the kernel would access intersect. Elements that are read only for sizes do not
   * count: they are read before anything is written. */
  strata_error_overlap = -121,
  /* Elements of a written buffer may share memory: the stride of a dimension is within the span of
   * the dimensions with smaller strides. */
  strata_error_folded = -122,

  /* The allocation of a temporary buffer failed. The outputs may be partly written. */
  strata_error_out_of_memory = -131,
  /* An index computed from data is out of bounds: nothing was read or written there. The outputs
   * may be partly written and must not be used. */
  strata_error_index_out_of_range = -132,

  /* A kernel called in process got the wrong number of arguments. */
  strata_error_wrong_arguments = -141,

  /* The profile of a kernel that was compiled without one, or has not been called. */
  strata_error_no_profile = -151,
  /* A profile or trace cannot be written. */
  strata_error_cannot_write = -152,

  /* The kernel was compiled for several CPUs, and this CPU can execute none of the versions.
   * Nothing was read or written. The message says what each version needs. */
  strata_error_wrong_cpu = -161,

  /* The kernel has launches, and no GPU, or no driver of it, is there. Nothing was written. */
  strata_error_no_device = -171,
  /* The GPU's driver reports a failure. The outputs may be partly written. */
  strata_error_device = -172,
  /* The GPU does not have enough memory for the arguments. Nothing was written. */
  strata_error_device_memory = -173,
  /* An argument that is resident on the GPU has no memory there, or memory of another interface
   * than the kernel's, or its newest contents are in host memory. Nothing was written. */
  strata_error_not_resident = -174,

  /* Kernels on several ranks (strata/team.h). After these, nothing was written. */
  /* The team is a null pointer. */
  strata_error_null_team = -181,
  /* The team was freed. */
  strata_error_freed_team = -182,
  /* MPI is not initialized yet, or finalized already. */
  strata_error_mpi_not_initialized = -183,
  strata_error_mpi_finalized = -184,
  /* MPI was initialized for a program without threads (by MPI_Init, instead of MPI_Init_thread with
   * MPI_THREAD_FUNNELED or more). Or it was initialized with MPI_THREAD_FUNNELED, and this is not
   * the main thread. */
  strata_error_thread_level = -185,
  /* The cuts of a partition do not begin with 0, or decrease. */
  strata_error_bad_cuts = -186,
  /* The team has another size than the cuts, the grid or the program's ranks. */
  strata_error_team_size = -187,
  /* The ranks call different kernels, or one with different parameters, scalars, grids or cuts. */
  strata_error_ranks_differ = -188,

  /* Another rank failed. The message has its number, its code and its message. The outputs may be
   * partly written if its code allows that. */
  strata_error_other_rank = -189,
  /* A call of MPI failed. The outputs may be partly written and must not be used. */
  strata_error_mpi = -191,
  /* A message has another number of bytes than its receiver expects. The outputs may be partly
   * written and must not be used. */
  strata_error_message_size = -192
};

/* The message of the last failed kernel on this thread; "" if none failed yet. It counts
 * dimensions as the program does: dimension 0 is the first index. Valid until the next failure on
 * this thread. */
const char* strata_last_error(void);
/* Its code; 0 if none failed yet. */
int strata_last_code(void);

/* Sets the handler. Every failure calls it with the code and the message, on the thread that
 * detects the failure. Null, the default, means no handler. Returns the previous handler. */
typedef void (*strata_error_handler)(int code, const char* message);
strata_error_handler strata_set_error_handler(strata_error_handler handler);

/* ---- threads ---- */

/* Sets how many threads run the parallel loops of all kernels in this process, up to a fixed
 * maximum; 0 or less means the number that the environment variable STRATA_THREADS has, or else the
 * number of cores that the process may use (its affinity and the quota of its control group).
 * Returns the previous number. */
int strata_set_number_of_threads(int number);
int strata_number_of_threads(void);

/* Runs task(data, n) for each n from 0 to count - 1, in any order, on any threads, also one after
 * the other, and returns when all have returned. It may be called from several threads at a time,
 * and from within a task. */
typedef void (*strata_task)(void* data, int n);
typedef void (*strata_pool)(void* pool, strata_task task, void* data, int count);
/* Makes parallel loops run on the host program's pool instead of the threads of this library. Each
 * loop becomes up to strata_number_of_threads() calls of a task; "run" gets "pool" as it is. A loop
 * with little work still runs on the calling thread. With a null "run", loops run on the threads of
 * this library again. This takes effect from the next parallel loop on, also in kernels that are
 * running. A loop that has begun stays where it is, so end the pool only when no kernel runs that
 * began before.
 * A child process begins with threads of its own; it may set a pool again. */
void strata_set_pool(strata_pool run, void* pool);

/* ---- GPUs ---- */

/* Can kernels with launches run, through "opencl" or "cuda"? Reports no error. Returns 0 also for
 * an unknown name. */
int strata_gpu_available(const char* api);
/* From now on, CUDA kernels that this thread calls run in the primary context of this device, which
 * CUDA's own runtime and the libraries on it (PyTorch, CuPy, JAX) use. They run in "stream", a
 * CUstream of that context; null is the default stream. A negative number stands for the device of
 * halide_set_gpu_device or HL_GPU_DEVICE, else for device 0. In a process that never calls this,
 * kernels have a context of their own. After the first call, all threads of the process use primary
 * contexts. */
void strata_use_cuda(int device, void* stream);
/* The library keeps memory that kernels freed on the GPU for the next call. This gives it back to
 * the driver. */
void strata_release_device_memory(void);
/* The bytes that kernels of this process have copied between host and GPU so far. */
typedef struct strata_device_traffic {
  int64_t to_device, to_host;
} strata_device_traffic;
strata_device_traffic strata_device_traffic_so_far(void);

/* ---- profiles of kernels compiled with the option "profile" ---- */

/* Writes a table of the kernel's sections (its outermost loops), or of all kernels if "kernel" is
 * null, to a file, or to standard error if "path" is null: how often each ran, its time, its share
 * of the kernel's time, and the bytes that it touched, each element once. Returns 0,
 * strata_error_no_profile or strata_error_cannot_write.
 *
 * At exit, STRATA_PROFILE=1 in the environment writes all tables to standard error, and
 * STRATA_PROFILE=FILE writes the trace to a file. */
int strata_print_profile(const char* kernel, const char* path);
/* Writes the runs of all sections, up to 65,536, as a trace in JSON that browsers show
 * (chrome://tracing, ui.perfetto.dev). Returns as above. */
int strata_write_trace(const char* path);
/* Forgets what was recorded. */
void strata_clear_profile(void);

/* ---- buffers ---- */

struct halide_buffer_t;

/* The type code and number of bits of an element, as in halide_type_t. */
typedef struct strata_type {
  uint8_t code;   /* 0 signed integer, 1 unsigned integer or boolean, 2 float, 4 bfloat */
  uint8_t bits;   /* 1 for boolean, which takes one byte */
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

/* The layout of halide_dimension_t and halide_buffer_t. Dimension 0 is the last index of the
 * program's buffer; element (i0, i1, ..), by dimension, is at
 *     host + element_size * sum_d (i_d - dim[d].min) * dim[d].stride */
typedef struct strata_dimension {
  int32_t min, extent, stride;
  uint32_t flags;
} strata_dimension;

typedef struct strata_buffer {
  uint64_t device;
  const void* device_interface;
  uint8_t* host;
  uint64_t flags;
  strata_type type;
  int32_t dimensions;
  strata_dimension* dim;
  void* padding;
} strata_buffer;

/* The largest number of dimensions of a buffer. */
#define STRATA_MAX_RANK 32

/* Describes dense memory: extents in the order of the program's indices, the last one innermost.
 * "dimensions" is storage for "rank" entries and must live as long as the buffer is used. If an
 * extent or a stride does not fit in int32_t, every kernel refuses the buffer. */
void strata_buffer_init(strata_buffer* buffer, strata_type type, void* host, int rank,
                        strata_dimension* dimensions, const int64_t* extents);

/* The buffer as an argument of a kernel. */
static inline struct halide_buffer_t* strata_argument(strata_buffer* buffer) {
  return (struct halide_buffer_t*)(void*)buffer;
}

/* ---- memory of other libraries on a GPU, for arguments that are resident there ---- */

/* Describes memory that the caller has on the GPU: the address of element 0 in CUDA ("cuda"), or a
 * cl_mem ("opencl"). Extents, and strides in elements, are in the order of the program's indices;
 * without strides (null) the memory is dense. "dimensions" is storage for "rank" entries, and must
 * live as long as the buffer is used. Returns 0, or one of
 *     strata_error_bad_shape     not 0 to STRATA_MAX_RANK dimensions; an extent or stride that is
 *                                negative or above 2^31 - 1
 *     strata_error_not_resident  no memory, though there are elements; CUDA memory of another
 *                                context than the one that kernels run in
 *     strata_error_misaligned    a CUDA address that is not a multiple of an element's size
 *     strata_error_no_device     no GPU of this interface can be used
 *     strata_error_wrong_type    elements of 0 bits
 *     strata_error_device, strata_error_device_memory   the driver's errors
 * Then the buffer has no memory. After success it is an argument (strata_argument) of kernels that
 * have it resident, until strata_unwrap. */
int strata_wrap_memory(strata_buffer* buffer, strata_type type, const char* api, uint64_t memory,
                       int rank, strata_dimension* dimensions, const int64_t* extents,
                       const int64_t* strides);
/* The same of a tensor of another library: "dl_tensor" is a DLTensor of DLPack 0.2 to 1.x, as in
 * &managed->dl_tensor, on a device kDLCUDA, kDLCUDAManaged or kDLOpenCL.  "dimensions" has an entry
 * for each of its dimensions. Its owner keeps it until after strata_unwrap. Further errors:
 *     strata_error_null_buffer   a null tensor
 *     strata_error_wrong_type    elements that no array of Strata has (complex numbers, say)
 *     strata_error_not_resident  another device
 *     strata_error_bad_shape     a byte_offset with OpenCL */
int strata_wrap_tensor(strata_buffer* buffer, strata_dimension* dimensions, const void* dl_tensor);
/* Ends the description: the buffer has no memory any more, and the caller's memory stays as it is.
 * Does not wait for the GPU, since later work in the stream of the kernels comes after them. Does
 * nothing if the buffer has no memory. */
void strata_unwrap(strata_buffer* buffer);
/* Waits until the GPU that has the argument's memory has done all work of this thread's stream.
 * Returns 0, or strata_error_device. Returns 0 at once if the argument has no memory on a GPU. */
int strata_wait_for_device(struct halide_buffer_t* argument);

/* ---- memory of the program's own on a GPU ---- */

/* Gives a buffer of strata_buffer_init, without host memory and with elements, memory of "cuda" or
 * "opencl": 0, strata_error_bad_shape, strata_error_no_device, strata_error_device_memory or
 * strata_error_device. Until strata_free_on_device it is an argument of kernels that have it
 * resident. */
int strata_allocate_on_device(strata_buffer* buffer, const char* api);
void strata_free_on_device(strata_buffer* buffer);
/* The CUDA address or the cl_mem of the buffer's memory. */
uintptr_t strata_device_memory(const strata_buffer* buffer);
/* Copies all elements of an argument to another argument of the same type and shape, and waits for
 * the end. Each of them has either host memory or memory on a GPU; only for the latter the program
 * needs a runtime for devices. Returns 0, strata_error_bad_shape, strata_error_null_host,
 * strata_error_no_device or strata_error_device. */
int strata_copy_array(struct halide_buffer_t* from, struct halide_buffer_t* to);

/* ---- called by emitted code only ---- */

int strata_check_arguments(const char* names, const int64_t* facts,
                           struct halide_buffer_t* const* buffers);
int strata_out_of_memory(const char* kernel, const char* buffer, int64_t bytes);
/* Frees the memory at *owner, a void *, and makes *owner null. Returns 0. */
int strata_free_owned(void* context, void* owner);
int strata_index_out_of_range(const char* kernel, const char* what, int64_t index, int64_t lower,
                              int64_t upper);

#ifdef __cplusplus
}
#endif

#endif
