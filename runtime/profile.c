/* Times and bytes of the sections of kernels: a table with a row for each section, and a list of
 * events for traces. */
#define _POSIX_C_SOURCE 200809L

#include "runtime/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <strata/runtime.h>

#include "runtime/error.h"

enum { most_rows = 1024, most_events = 1 << 16, name_size = 128 };

struct row {
  char kernel[name_size], section[name_size];
  int64_t calls, time, bytes;
};

struct event {
  int row, thread;
  int64_t start, time, bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row rows[most_rows];
static int row_count;
static struct event* events;
static int64_t event_count; /* includes the events that did not fit */
static int thread_count;
static _Thread_local int thread_number;

int64_t strata_profile_begin(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* STRATA_PROFILE=1 prints the table, STRATA_PROFILE=FILE writes the trace. */
static void report_at_exit(void) {
  const char* wanted = getenv("STRATA_PROFILE");
  if (!wanted || !*wanted || !strcmp(wanted, "0")) return;
  const int code = strcmp(wanted, "1") ? strata_write_trace(wanted) : strata_print_profile(0, 0);
  if (code) fprintf(stderr, "%s\n", strata_last_error());
}

static void copy_name(char* to, const char* from) { snprintf(to, name_size, "%s", from); }

/* The row of a section, or -1 if there are too many. Names are compared as they are stored. */
static int row_of(const char* kernel, const char* section) {
  for (int n = 0; n < row_count; ++n)
    if (!strncmp(rows[n].kernel, kernel, name_size - 1) &&
        !strncmp(rows[n].section, section, name_size - 1))
      return n;
  if (row_count == most_rows) return -1;
  if (row_count == 0) atexit(report_at_exit);
  copy_name(rows[row_count].kernel, kernel);
  copy_name(rows[row_count].section, section);
  return row_count++;
}

static void add_event(int row, int64_t start, int64_t time, int64_t bytes) {
  if (!events) events = malloc(most_events * sizeof *events);
  if (!thread_number) thread_number = ++thread_count;
  if (events && event_count < most_events)
    events[event_count] = (struct event){row, thread_number, start, time, bytes};
  ++event_count;
}

int strata_profile_end(const char* kernel, const char* section, int64_t start, int64_t bytes) {
  const int64_t time = strata_profile_begin() - start;
  pthread_mutex_lock(&lock);
  const int row = row_of(kernel, section);
  if (row >= 0) {
    rows[row].calls += 1;
    rows[row].time += time;
    rows[row].bytes += bytes;
    add_event(row, start, time, bytes);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

void strata_clear_profile(void) {
  pthread_mutex_lock(&lock);
  for (int n = 0; n < row_count; ++n) rows[n].calls = rows[n].time = rows[n].bytes = 0;
  event_count = 0;
  pthread_mutex_unlock(&lock);
}

/* Opens "path", or returns standard error if it is null. Returns NULL and sets the message if that
 * fails. */
static FILE* opened(const char* path, const char* what) {
  FILE* file = path ? fopen(path, "w") : stderr;
  if (!file)
    strata_fail(strata_error_cannot_write, "cannot write the %s to %s: %s", what, path,
                strerror(errno));
  return file;
}

static int closed(FILE* file, const char* path, const char* what) {
  if (file == stderr) return 0;
  const int failed = ferror(file);
  if (!fclose(file) && !failed) return 0;
  return strata_fail(strata_error_cannot_write, "cannot write the %s to %s", what, path);
}

static int64_t total_of(const char* kernel) {
  for (int n = 0; n < row_count; ++n)
    if (!strcmp(rows[n].kernel, kernel) && !rows[n].section[0]) return rows[n].time;
  return 0;
}

static void print_row(FILE* file, const struct row* row) {
  const int64_t total = total_of(row->kernel);
  fprintf(file, "%-44s %9" PRId64 " %12.3f %7.1f%%", row->section[0] ? row->section : "(all)",
          row->calls, (double)row->time / 1e6,
          total ? 100 * (double)row->time / (double)total : 0.0);
  if (row->bytes && row->time)
    fprintf(file, " %12.3f %9.2f", (double)row->bytes / 1e6,
            (double)row->bytes / (double)row->time);
  fprintf(file, "\n");
}

static int is_asked(const struct row* row, const char* kernel) {
  return row->calls && (!kernel || !strcmp(row->kernel, kernel));
}

/* Prints the rows of one kernel, that of the whole kernel last. */
static void print_kernel(FILE* file, const char* kernel) {
  fprintf(file, "%-44s %9s %12s %8s %12s %9s\n", kernel, "runs", "ms", "share", "MB", "GB/s");
  for (int whole = 0; whole < 2; ++whole)
    for (int n = 0; n < row_count; ++n)
      if (is_asked(&rows[n], kernel) && whole == !rows[n].section[0]) print_row(file, &rows[n]);
}

static int any_row(const char* kernel) {
  for (int n = 0; n < row_count; ++n)
    if (is_asked(&rows[n], kernel)) return 1;
  return 0;
}

static int no_profile(const char* kernel) {
  return strata_fail(strata_error_no_profile,
                     "%s has no profile: compile it with the option profile, and call it",
                     kernel ? kernel : "this program");
}

int strata_profile_to(const char* kernel, FILE* file) {
  pthread_mutex_lock(&lock);
  const int known = any_row(kernel);
  for (int n = 0; file && n < row_count; ++n)
    if (is_asked(&rows[n], kernel) && !rows[n].section[0]) print_kernel(file, rows[n].kernel);
  pthread_mutex_unlock(&lock);
  return known ? 0 : no_profile(kernel);
}

/* Nothing is opened if the kernel has no profile. */
int strata_print_profile(const char* kernel, const char* path) {
  const int code = strata_profile_to(kernel, 0);
  if (code) return code;
  FILE* file = opened(path, "profile");
  if (!file) return strata_error_cannot_write;
  strata_profile_to(kernel, file);
  return closed(file, path, "profile");
}

static void print_event(FILE* file, const struct event* event, int64_t first) {
  const struct row* row = &rows[event->row];
  fprintf(file,
          "{\"name\": \"%s\", \"cat\": \"%s\", \"ph\": \"X\", \"ts\": %.3f, \"dur\": %.3f, "
          "\"pid\": 1, \"tid\": %d, \"args\": {\"bytes\": %" PRId64 "}}",
          row->section[0] ? row->section : row->kernel, row->kernel,
          (double)(event->start - first) / 1e3, (double)event->time / 1e3, event->thread,
          event->bytes);
}

int strata_write_trace(const char* path) {
  pthread_mutex_lock(&lock);
  const int64_t count = event_count < most_events ? event_count : most_events;
  FILE* file = count && events ? opened(path, "trace") : 0;
  if (file) {
    int64_t first = events[0].start;
    for (int64_t n = 1; n < count; ++n)
      if (events[n].start < first) first = events[n].start;
    fprintf(file,
            "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"events left out\": %" PRId64
            "}, \"traceEvents\": [\n",
            event_count - count);
    for (int64_t n = 0; n < count; ++n) {
      print_event(file, &events[n], first);
      fprintf(file, n + 1 < count ? ",\n" : "\n");
    }
    fprintf(file, "]}\n");
  }
  pthread_mutex_unlock(&lock);
  if (!count) return no_profile(0);
  return file ? closed(file, path, "trace") : strata_error_cannot_write;
}
