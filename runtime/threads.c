/* The threads that run parallel loops.
 *
 * A loop is offered on a list.  Threads of the pool join it, as many as it has places for, and share
 * its iterations with the thread that started it (parts.h).  An idle thread spins for a
 * while before it sleeps, since waking one takes longer than many loops run and the next loop
 * usually follows soon; so does a thread that waits for the last iterations of its loop.
 * Nested loops need no special case: a thread waits only for iterations that are running on other
 * threads. */
#define _GNU_SOURCE /* for sched_getaffinity */
#include <strata/runtime.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/parts.h"
#include "threads.h"

enum { most_threads = 1024, patience_in_ns = 200000, looks_between_clocks = 64 };

struct loop {
  strata_iteration run;
  unsigned char *closure;
  int first;          /* iteration number 0 of the parts */
  struct part *parts; /* one for each thread that takes part; the first is the owner's */
  int threads;        /* the number of parts */
  atomic_int result;  /* of the first iteration that failed */
  char* message;      /* that iteration's message; written by the thread that sets "result" */
  int places;         /* parts without a thread; under the lock */
  atomic_int helpers; /* threads of the pool in this loop */
  struct loop *below; /* the next loop on the list */
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t offered, left; /* a loop is on the list; a helper has left its loop */
  struct loop *top;             /* under the lock, like all non-atomic members below */
  pthread_t threads[most_threads];
  int count, sleeping, ending;
  atomic_int waiting; /* threads that wait for "left" */
  atomic_int open;    /* places of all loops on the list, readable without the lock */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .offered = PTHREAD_COND_INITIALIZER,
          .left = PTHREAD_COND_INITIALIZER};

static atomic_int chosen; /* number of threads; 0: not chosen yet */

static int no_more_than_fit(long threads) {
  return (int)(threads < most_threads ? threads : most_threads);
}

static int count_cores(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return no_more_than_fit(CPU_COUNT(&set));
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? no_more_than_fit(online) : 1;
}

static int cores(void) {
  static atomic_int known;
  if (atomic_load(&known) == 0) atomic_store(&known, count_cores());
  return atomic_load(&known);
}

int strata_number_of_threads(void) {
  int none = 0;
  const int number = atomic_load(&chosen);
  if (number) return number;
  atomic_compare_exchange_strong(&chosen, &none, cores());
  return atomic_load(&chosen);
}

int strata_set_number_of_threads(int number) {
  const int before = strata_number_of_threads();
  atomic_store(&chosen, number > 0 ? no_more_than_fit(number) : cores());
  return before;
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Spins, for a limited time, until "number" is positive or, if "positive" is 0, until it is zero.
 * Returns 1 if that has happened. */
static int spin_until(atomic_int* number, int positive) {
  const long long start = now();
  const int crowded = strata_number_of_threads() > cores();
  do {
    for (int look = 0; look < looks_between_clocks; ++look) {
      if ((atomic_load(number) > 0) == positive) return 1;
      relax();
    }
    if (crowded) sched_yield();
  } while (now() - start < patience_in_ns);
  return 0;
}

/* Only the first failure of a loop is recorded. */
static void fail(struct loop* loop, int code) {
  int none = 0;
  if (atomic_compare_exchange_strong(&loop->result, &none, code))
    strata_copy_message(loop->message);
}

/* The loop's result, once all threads have left it; its message becomes this thread's. */
static int result_of(struct loop* loop) {
  const int code = atomic_load(&loop->result);
  if (code) strata_adopt_message(loop->message);
  return code;
}

/* Runs iterations until none is left or one has failed. */
static void run_some(struct loop *loop, int part) {
  while (atomic_load_explicit(&loop->result, memory_order_relaxed) == 0) {
    const long long i = strata_next_iteration(loop->parts, loop->threads, part);
    if (i < 0) return;
    const int result = loop->run(NULL, (int)(loop->first + i), loop->closure);
    if (result) fail(loop, result);
  }
}

/* A thread of the pool takes the same part of all loops with as many parts, unless others have
 * taken it.  Under the lock. */
static int free_part(struct loop *loop, int thread) {
  int part = thread % (loop->threads - 1) + 1;
  while (loop->parts[part].taken) part = part % (loop->threads - 1) + 1;
  loop->parts[part].taken = 1;
  return part;
}

/* Takes a place in a loop, and tells its part; null if no loop has one.  Under the lock. */
static struct loop *joined(int thread, int *part) {
  for (struct loop *loop = pool.top; loop; loop = loop->below) {
    if (loop->places == 0) continue;
    --loop->places;
    *part = free_part(loop, thread);
    atomic_fetch_sub(&pool.open, 1);
    atomic_fetch_add(&loop->helpers, 1);
    return loop;
  }
  return NULL;
}

/* Afterwards "loop" may not exist any more.  Either this thread sees the owner waiting, or the
 * owner sees that this thread has left. */
static void leave(struct loop *loop) {
  atomic_fetch_sub(&loop->helpers, 1);
  if (atomic_load(&pool.waiting) == 0) return;
  pthread_mutex_lock(&pool.lock);
  pthread_cond_broadcast(&pool.left);
  pthread_mutex_unlock(&pool.lock);
}

static void *work(void *number) {
  const int thread = (int)(intptr_t)number;
  for (;;) {
    int part = 0;
    spin_until(&pool.open, 1);
    pthread_mutex_lock(&pool.lock);
    struct loop *loop = NULL;
    while (!pool.ending && !(loop = joined(thread, &part))) {
      ++pool.sleeping;
      pthread_cond_wait(&pool.offered, &pool.lock);
      --pool.sleeping;
    }
    pthread_mutex_unlock(&pool.lock);
    if (!loop) return NULL;
    run_some(loop, part);
    leave(loop);
  }
}

/* A child process has only this thread, and another thread may have held the lock at the fork. */
static void reset_after_fork(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.offered, NULL);
  pthread_cond_init(&pool.left, NULL);
  pool.top = NULL;
  pool.count = pool.sleeping = 0;
  atomic_store(&pool.waiting, 0);
  atomic_store(&pool.open, 0);
}

static void register_fork_handler(void) { pthread_atfork(NULL, NULL, reset_after_fork); }

/* Runs before this code is unloaded. */
__attribute__((destructor)) static void end_threads(void) {
  pthread_mutex_lock(&pool.lock);
  pool.ending = 1;
  pthread_cond_broadcast(&pool.offered);
  pthread_mutex_unlock(&pool.lock);
  for (int n = 0; n < pool.count; ++n) pthread_join(pool.threads[n], NULL);
}

/* Grows the pool to "wanted" threads, as far as the system allows.  Under the lock. */
static void grow(int wanted) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_fork_handler);
  while (pool.count < wanted && !pool.ending) {
    void *const number = (void *)(intptr_t)pool.count;
    if (pthread_create(&pool.threads[pool.count], NULL, work, number) != 0) return;
    ++pool.count;
  }
}

static void offer(struct loop *loop) {
  pthread_mutex_lock(&pool.lock);
  grow(loop->places);
  loop->below = pool.top;
  pool.top = loop;
  atomic_fetch_add(&pool.open, loop->places);
  for (int n = 0; n < loop->places && n < pool.sleeping; ++n) pthread_cond_signal(&pool.offered);
  pthread_mutex_unlock(&pool.lock);
}

/* Afterwards no thread can join the loop. */
static void withdraw(struct loop *loop) {
  pthread_mutex_lock(&pool.lock);
  struct loop **place = &pool.top;
  while (*place && *place != loop) place = &(*place)->below;
  if (*place) { /* in a child process, the loop around the fork is not on the list */
    *place = loop->below;
    atomic_fetch_sub(&pool.open, loop->places);
  }
  pthread_mutex_unlock(&pool.lock);
}

static void wait_for_helpers(struct loop *loop) {
  if (spin_until(&loop->helpers, 0)) return;
  pthread_mutex_lock(&pool.lock);
  atomic_fetch_add(&pool.waiting, 1);
  while (atomic_load(&loop->helpers) > 0) pthread_cond_wait(&pool.left, &pool.lock);
  atomic_fetch_sub(&pool.waiting, 1);
  pthread_mutex_unlock(&pool.lock);
}

int strata_run_parallel(strata_iteration run, int first, int count, unsigned char *closure) {
  const int available = count > 1 ? strata_number_of_threads() : 1;
  const int threads = available < count ? available : count;
  if (threads <= 0) return 0;
  char message[strata_message_size];
  struct part parts[threads];
  struct loop loop = {.run = run,
                      .closure = closure,
                      .first = first,
                      .parts = parts,
                      .threads = threads,
                      .message = message,
                      .places = threads - 1};
  strata_share_out(parts, threads, count);
  if (threads > 1) offer(&loop);
  run_some(&loop, 0);
  if (threads > 1) {
    withdraw(&loop);
    wait_for_helpers(&loop);
  }
  return result_of(&loop);
}
