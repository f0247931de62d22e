/* What kernels compiled with "profile" record. Emitted code calls these functions. */
#ifndef STRATA_RUNTIME_PROFILE_H
#define STRATA_RUNTIME_PROFILE_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The time in ns since some fixed moment. */
int64_t strata_profile_begin(void);

/* Records that a section of a kernel ran since "start" and touched "bytes" bytes. An empty name
 * stands for the whole kernel. Both names must live as long as the process. Returns 0. */
int strata_profile_end(const char* kernel, const char* section, int64_t start, int64_t bytes);

/* Writes the table of strata_print_profile; writes nothing if "file" is null. Returns 0 or
 * strata_error_no_profile. */
int strata_profile_to(const char* kernel, FILE* file);

#ifdef __cplusplus
}
#endif

#endif
