/* The entry points of emitted kernels for parallel loops. */
#ifndef STRATA_RUNTIME_THREADS_H
#define STRATA_RUNTIME_THREADS_H

#include <stdint.h>

/* Runs one iteration, and returns 0 on success. Kernels pass no context. */
typedef int (*strata_iteration)(void* context, int iteration, unsigned char* closure);

/* Runs the iterations first .. first + count - 1 in any order, on at most
 * strata_number_of_threads() threads. Returns 0, or the result of the first iteration that failed;
 * its message becomes that of the calling thread.
 *
 * "work" is the estimated time of the whole loop on one thread. Its unit is the time from which on
 * two threads that are awake take less than one (Machine::parallel_start). A loop with less work
 * than 1 runs on the calling thread, a loop with more on at most 1 + work threads. Infinity and NaN
 * mean that the work is unknown; the loop then counts as long. */
int strata_run_parallel(strata_iteration run, int first, int count, unsigned char* closure,
                        double work);

/* Runs the iterations first .. end - 1 of a loop in order, and returns 0 on success. */
typedef int (*strata_range)(void* closure, int64_t first, int64_t end);

/* The same for a loop whose iterations are called in ranges, each of adjacent iterations. */
int strata_run_ranges(strata_range run, int64_t first, int64_t end, void* closure, double work);

/* For tests of threads: if "all" is not 0, every loop counts as long, whatever its work. */
void strata_use_threads_for_all_loops(int all);

#endif
