#ifndef STRATA_RUNTIME_POCL_H
#define STRATA_RUNTIME_POCL_H

#include <stdint.h>

/* Warns on stderr if "memory", a cl_mem, belongs to a PoCL whose method for loops is not safe. */
void strata_tell_of_pocl(uintptr_t memory);

#endif
