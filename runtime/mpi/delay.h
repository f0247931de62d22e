/* Messages that take some time, in test builds (STRATA_MPI_DELAY). Before each message, the sender
 * sends its clock. Whoever waits for the message sleeps until STRATA_DELAY microseconds (a variable
 * of the environment) have passed since then. All ranks are on one machine, which has one clock. */
#ifndef STRATA_RUNTIME_MPI_DELAY_H
#define STRATA_RUNTIME_MPI_DELAY_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline int64_t strata_delay_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Returns when the message that was sent at this time has arrived. */
static inline void strata_delay_until_arrival(int64_t sent_at) {
  const char* const microseconds = getenv("STRATA_DELAY");
  const int64_t end = sent_at + (microseconds ? atoll(microseconds) : 0) * 1000;
  const struct timespec t = {end / 1000000000, end % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL)) continue;
}

#endif
