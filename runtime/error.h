/* How the runtime reports errors. */
#ifndef STRATA_RUNTIME_ERROR_H
#define STRATA_RUNTIME_ERROR_H

#include <strata/runtime.h>

enum { strata_message_size = 1024 };

/* Sets this thread's message, calls the handler, and returns the code. */
int strata_fail(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Copies this thread's message to or from a buffer of strata_message_size: a message moves from the
 * thread that failed to the one that called the kernel. */
void strata_copy_message(char* to);
void strata_adopt_message(int code, const char* from);

#endif
