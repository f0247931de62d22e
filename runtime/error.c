/* The last error of each thread. */
#include "runtime/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { message_size = 1024 };

static _Thread_local char last_message[message_size];

static _Atomic(strata_error_handler) error_handler;

/* The last failure in a worker of a parallel loop, until the thread that called the kernel takes
 * it over. */
static char worker_message[message_size];
static atomic_flag worker_lock = ATOMIC_FLAG_INIT;

static void lock_worker_message(void) {
  while (atomic_flag_test_and_set_explicit(&worker_lock, memory_order_acquire)) {
  }
}

static void unlock_worker_message(void) {
  atomic_flag_clear_explicit(&worker_lock, memory_order_release);
}

const char *strata_last_error(void) { return last_message; }

strata_error_handler strata_set_error_handler(strata_error_handler handler) {
  return atomic_exchange(&error_handler, handler);
}

int strata_fail(int code, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(last_message, message_size, format, list);
  va_end(list);
  strata_error_handler handler = atomic_load(&error_handler);
  if (handler) handler(code, last_message);
  return code;
}

/* What fails may be an iteration of a parallel loop. */
static int kept_for_caller(int code) {
  lock_worker_message();
  memcpy(worker_message, last_message, message_size);
  unlock_worker_message();
  return code;
}

int strata_out_of_memory(const char *kernel, const char *buffer, int64_t bytes) {
  return kept_for_caller(strata_fail(
      strata_error_out_of_memory,
      "%s: there is no memory for the temporary buffer %s of %" PRId64 " bytes", kernel, buffer,
      bytes));
}

int strata_index_out_of_range(const char *kernel, const char *what, int64_t index, int64_t lower,
                              int64_t upper) {
  return kept_for_caller(strata_fail(
      strata_error_index_out_of_range,
      "%s: %s was %" PRId64 " somewhere, and the elements go from %" PRId64 " to %" PRId64, kernel,
      what, index, lower, upper - 1));
}

int strata_adopt_error(int code) {
  lock_worker_message();
  memcpy(last_message, worker_message, message_size);
  unlock_worker_message();
  return code;
}
