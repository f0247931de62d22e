/* The last error of each thread. */
#include "runtime/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_message[strata_message_size];
static _Thread_local int last_code;

static _Atomic(strata_error_handler) error_handler;

const char* strata_last_error(void) { return last_message; }

int strata_last_code(void) { return last_code; }

strata_error_handler strata_set_error_handler(strata_error_handler handler) {
  return atomic_exchange(&error_handler, handler);
}

int strata_fail(int code, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(last_message, strata_message_size, format, list);
  va_end(list);
  last_code = code;
  strata_error_handler handler = atomic_load(&error_handler);
  if (handler) handler(code, last_message);
  return code;
}

void strata_copy_message(char* to) { memcpy(to, last_message, strata_message_size); }

void strata_adopt_message(int code, const char* from) {
  memcpy(last_message, from, strata_message_size);
  last_code = code;
}

int strata_out_of_memory(const char* kernel, const char* buffer, int64_t bytes) {
  return strata_fail(strata_error_out_of_memory,
                     "%s: out of memory for the temporary buffer %s of %" PRId64 " bytes", kernel,
                     buffer, bytes);
}

int strata_index_out_of_range(const char* kernel, const char* what, int64_t index, int64_t lower,
                              int64_t upper) {
  return strata_fail(strata_error_index_out_of_range,
                     "%s: %s was %" PRId64
                     " in some iteration, but the elements range from %" PRId64 " to %" PRId64,
                     kernel, what, index, lower, upper - 1);
}
