/* The checks of one buffer. */
#ifndef STRATA_RUNTIME_BUFFER_CHECKS_H
#define STRATA_RUNTIME_BUFFER_CHECKS_H

#include <strata/runtime.h>

struct strata_name {
  const char* text;
  int length;
};
#define NAME(name) (name).length, (name).text

struct strata_check {
  struct strata_name kernel;
  const char* names;    /* the lines not yet read */
  const int64_t* facts; /* the numbers not yet read */
  struct halide_buffer_t* const* buffers;
};

struct strata_argument {
  struct strata_name name;
  strata_type type;
  int rank;
  int read, written;     /* access 0: read, 1: written, 2: both */
  int place;             /* 0 in host memory; resident on a device of OpenCL: 1, of CUDA: 2 */
  const int64_t* bounds; /* lower, upper of each index of the program, outermost first */
  uintptr_t first, last; /* the bytes that the kernel touches; first > last if none; for a resident
                          * buffer as addresses on the device, or only its handle */
};

/* Checks "buffer" against "argument", and sets "first" and "last". Returns 0 or an error code. */
int strata_check_buffer(struct strata_name kernel, struct strata_argument* argument,
                        const struct halide_buffer_t* buffer);

/* Checks the handle of a resident buffer that the kernel does not touch. For kernels that write,
 * since their launches take it all the same. */
int strata_check_handle(struct strata_name kernel, const struct strata_argument* argument,
                        const struct halide_buffer_t* buffer);

#endif
