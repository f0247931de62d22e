/* What emitted kernels call for a parallel loop. */
#ifndef STRATA_RUNTIME_THREADS_H
#define STRATA_RUNTIME_THREADS_H

/* One iteration; 0 on success.  Kernels have no context. */
typedef int (*strata_iteration)(void *context, int iteration, unsigned char *closure);

/* Runs the iterations first .. first + count - 1 in any order, on at most
 * strata_number_of_threads() threads.  0, or the result of an iteration that failed. */
int strata_run_parallel(strata_iteration run, int first, int count, unsigned char *closure);

#endif
