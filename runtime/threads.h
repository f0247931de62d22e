/* The entry point of emitted kernels for parallel loops. */
#ifndef STRATA_RUNTIME_THREADS_H
#define STRATA_RUNTIME_THREADS_H

/* Runs one iteration; 0 on success.  Kernels pass no context. */
typedef int (*strata_iteration)(void *context, int iteration, unsigned char *closure);

/* Runs the iterations first .. first + count - 1 in any order, on at most
 * strata_number_of_threads() threads.  Returns 0, or the result of the first iteration that
 * failed; its message becomes that of the calling thread. */
int strata_run_parallel(strata_iteration run, int first, int count, unsigned char *closure);

#endif
