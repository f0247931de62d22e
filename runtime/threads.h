/* The entry point of emitted kernels for parallel loops. */
#ifndef STRATA_RUNTIME_THREADS_H
#define STRATA_RUNTIME_THREADS_H

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

/* For tests of threads: if "all" is not 0, every loop counts as long, whatever its work. */
void strata_use_threads_for_all_loops(int all);

#endif
