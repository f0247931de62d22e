#ifndef STRATA_RUNTIME_POCL_H
#define STRATA_RUNTIME_POCL_H

#include <stdint.h>

/* A warning on stderr, if "memory", a cl_mem, is of a PoCL whose method for loops is not safe. */
void strata_tell_of_pocl(uintptr_t memory);

#endif
