/* The GPU of kernels with launches. */
#ifndef STRATA_RUNTIME_DEVICE_H
#define STRATA_RUNTIME_DEVICE_H

/* Before the first call of Halide's runtime for devices in a kernel: from then on what it reports is
 * kept for strata_device_failed.  Returns 0. */
int strata_device_start(void);

/* A call of Halide's runtime for devices has returned "code".  Sets the message, and returns
 * strata_error_no_device, strata_error_device_memory or strata_error_device. */
int strata_device_failed(const char *kernel, int code);

#endif
