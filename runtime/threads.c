/* The threads that run parallel loops: Halide's pool, of which no loop uses more than it may.
 *
 * Halide's pool grows with halide_set_num_threads and never shrinks, and every iteration that a
 * thread takes from it costs a lock.  So a loop is given to the pool as one task for each thread
 * that may run it, and the tasks take iterations from a counter. */
#include <strata/runtime.h>

#include <stdatomic.h>
#include <stddef.h>

#include "threads.h"

int halide_set_num_threads(int number);
int halide_get_num_threads(void);
int halide_do_par_for(void *context, strata_iteration run, int first, int count,
                      unsigned char *closure);

int strata_number_of_threads(void) {
  if (halide_get_num_threads() == 0) halide_set_num_threads(0); /* as many as there are cores */
  return halide_get_num_threads();
}

int strata_set_number_of_threads(int number) {
  const int before = strata_number_of_threads();
  halide_set_num_threads(number < 0 ? 0 : number);
  return before;
}

struct loop {
  strata_iteration run;
  unsigned char *closure;
  atomic_llong next;
  long long end;
};

/* Takes iterations until none is left, or one fails. */
static int run_some(void *context, int task, unsigned char *closure) {
  struct loop *loop = (struct loop *)(void *)closure;
  (void)task;
  for (;;) {
    const long long i = atomic_fetch_add(&loop->next, 1);
    if (i >= loop->end) return 0;
    const int result = loop->run(context, (int)i, loop->closure);
    if (result == 0) continue;
    atomic_store(&loop->next, loop->end);
    return result;
  }
}

int strata_run_parallel(strata_iteration run, int first, int count, unsigned char *closure) {
  struct loop loop = {run, closure, first, (long long)first + count};
  const int threads = count > 1 ? strata_number_of_threads() : 1;
  unsigned char *shared = (unsigned char *)(void *)&loop;
  if (threads <= 1) return run_some(NULL, 0, shared);
  return halide_do_par_for(NULL, run_some, 0, threads < count ? threads : count, shared);
}
