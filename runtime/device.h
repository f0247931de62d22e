/* What emitted code calls for kernels with launches on a GPU. Each function returns 0, or sets the
 * message and returns strata_error_no_device, strata_error_device_memory or strata_error_device.
 * "kernel" and "buffer" are names for messages. */
#ifndef STRATA_RUNTIME_DEVICE_H
#define STRATA_RUNTIME_DEVICE_H

#include <stdint.h>

struct halide_buffer_t;
struct halide_device_interface_t;

/* Called before the first call of Halide's runtime for devices in a kernel. From then on, what that
 * runtime reports is kept for strata_device_failed. Returns 0. */
int strata_device_start(void);

/* Called when Halide's runtime for devices has returned "code", which is not 0. */
int strata_device_failed(const char* kernel, int code);
/* The same for a launch or a copy: a device was found before. */
int strata_launch_failed(const char* kernel, int code);

/* Allocates memory on the device for "buffer", a description of the kernel's own. */
int strata_device_allocate(const char* kernel, struct halide_buffer_t* buffer,
                           const struct halide_device_interface_t* device);
/* Copies the whole buffer between its memory on the device and its elements on the host, which
 * "host" describes. */
int strata_copy_to_device(const char* kernel, struct halide_buffer_t* buffer,
                          struct halide_buffer_t* host,
                          const struct halide_device_interface_t* device);
int strata_copy_to_host(const char* kernel, struct halide_buffer_t* buffer,
                        struct halide_buffer_t* host,
                        const struct halide_device_interface_t* device);
/* Notes that the kernel has written a resident argument: its newest contents are on the device.
 * Returns 0. */
int strata_written_on_device(struct halide_buffer_t* buffer);

/* The bytes of shared memory for a block that CUDA's driver has refused to this thread since the
 * last call, or 0. "most" becomes what the GPU has; 0 if that is not known. */
unsigned strata_shared_memory_refused(int* most);

/* The number of the API with this name: OpenCL (1) or CUDA (2); 0 for an unknown one. */
int strata_place_of(const char* api);
/* The interface of kernels on this API; null if there is none. */
const struct halide_device_interface_t* strata_interface(int place);
/* What identifies the memory that a buffer has there: an address or a cl_mem. */
uintptr_t strata_memory_of(const struct halide_buffer_t* buffer, int place);

#endif
