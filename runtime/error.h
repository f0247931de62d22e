/* How the runtime reports what it finds wrong. */
#ifndef STRATA_RUNTIME_ERROR_H
#define STRATA_RUNTIME_ERROR_H

#include <strata/runtime.h>

/* Sets this thread's message, calls the handler, and returns the code. */
int strata_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
