/* How the runtime reports what it finds wrong. */
#ifndef STRATA_RUNTIME_ERROR_H
#define STRATA_RUNTIME_ERROR_H

#include <strata/runtime.h>

enum { strata_message_size = 1024 };

/* Sets this thread's message, calls the handler, and returns the code. */
int strata_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* This thread's message, from and to a place of strata_message_size: it follows a failure from the
 * thread that found it to the one that called the kernel. */
void strata_copy_message(char* to);
void strata_adopt_message(const char* from);

#endif
