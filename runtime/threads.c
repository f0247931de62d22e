/* The threads that run parallel loops.
 *
 * A loop is offered on a list. Threads of the pool join it, as many as it has places for, and share
 * its iterations with the thread that started it (parts.h). An idle thread spins for a while before
 * it sleeps: waking a thread takes longer than many loops run, and the next loop usually follows
 * soon. A thread that waits for the last iterations of its loop does the same.
 *
 * A loop with little work runs on the thread that started it. While all threads sleep, longer loops
 * run there too, until a few of them in quick succession together have enough work to wake a
 * thread.
 *
 * Nested loops need no special case: a thread waits only for iterations that are running on other
 * threads.
 *
 * A host program may lend its own pool (strata_set_pool). Then no thread is started or woken here.
 * The parts of a loop are tasks of that pool. They begin in any order, and none waits for another.
 * The tasks that run also take the parts whose tasks have not begun; such a task then finds nothing
 * left. */
#define _GNU_SOURCE /* for sched_getcpu */
#include <strata/runtime.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/cores.h"
#include "runtime/error.h"
#include "runtime/parts.h"
#include "threads.h"

enum { most_threads = 1024, patience_in_ns = 200000, looks_between_clocks = 64 };

/* In units of work (threads.h): the cost of waking a thread; the least work of the iterations that
 * a thread takes at a time, so that there is little contention for the counter; and the least work
 * that another thread helps with, since the data of the iterations moves to its cache. */
static const double waking = 16, least_share = 0.25, least_help = 2;

struct loop {
  strata_range run;
  void* closure;
  int64_t first;      /* iteration 0 of the parts */
  struct parts parts; /* one for each thread that takes part; the first is the owner's */
  double work;
  atomic_int result;  /* of the first iteration that failed */
  char* message;      /* that iteration's message; written by the thread that sets "result" */
  int places;         /* that further threads can take; under the lock */
  atomic_int helpers; /* threads of the pool in this loop */
  struct loop* below; /* the next loop on the list */
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t offered, left; /* a loop is on the list; a helper has left its loop */
  struct loop* top;             /* under the lock, like all non-atomic members below */
  pthread_t threads[most_threads];
  int count, sleeping, ending;
  atomic_int waiting; /* threads that wait for "left" */
  atomic_int open;    /* places of all loops on the list, readable without the lock */
  atomic_int awake;   /* threads that do not sleep, likewise */
  atomic_int core;    /* of the thread that offered the last loop */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .offered = PTHREAD_COND_INITIALIZER,
          .left = PTHREAD_COND_INITIALIZER};

static atomic_int chosen; /* number of threads; 0: not chosen yet */
static atomic_int all_are_long;

/* The host program's pool; its members are read under the lock, "set" without. */
static struct {
  pthread_mutex_t lock;
  atomic_int set;
  strata_pool run;
  void* pool;
} host = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int no_more_than_fit(int threads) { return threads < most_threads ? threads : most_threads; }

/* The number in STRATA_THREADS, or 0. Any text but a positive number is reported once. */
static int threads_of_environment(void) {
  static atomic_int told;
  const char* const text = getenv("STRATA_THREADS");
  if (!text || !*text) return 0;
  char* end;
  errno = 0;
  const long number = strtol(text, &end, 10);
  if (!errno && !*end && number > 0 && number < INT_MAX) return (int)number;
  if (!atomic_exchange(&told, 1))
    fprintf(stderr, "STRATA_THREADS=%s is not a positive number: it is ignored\n", text);
  return 0;
}

static int default_number(void) {
  const int wanted = threads_of_environment();
  return no_more_than_fit(wanted ? wanted : strata_cores());
}

int strata_number_of_threads(void) {
  int none = 0;
  const int number = atomic_load(&chosen);
  if (number) return number;
  atomic_compare_exchange_strong(&chosen, &none, default_number());
  return atomic_load(&chosen);
}

int strata_set_number_of_threads(int number) {
  const int before = strata_number_of_threads();
  atomic_store(&chosen, number > 0 ? no_more_than_fit(number) : default_number());
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

/* Spins, for a limited time, until "number" is positive (or, if "positive" is 0, until it is zero).
 * Returns 1 if that has happened. */
static int spin_until(atomic_int* number, int positive) {
  const long long start = now();
  const int crowded = strata_number_of_threads() > strata_cores();
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
  if (code) strata_adopt_message(code, loop->message);
  return code;
}

/* Runs iterations until none is left or one has failed; those of the part come first. */
static void run_some(struct loop* loop, int part) {
  while (atomic_load_explicit(&loop->result, memory_order_relaxed) == 0) {
    const struct taken taken = strata_take(loop->parts, part);
    if (taken.first == taken.end) return;
    const int result = loop->run(loop->closure, loop->first + taken.first, loop->first + taken.end);
    if (result) fail(loop, result);
  }
}

/* Finds a part for a thread of the pool. The thread takes the same part of all loops with as many
 * parts, unless another thread has it. Under the lock. */
static int free_part(struct parts parts, int thread) {
  const int others = parts.count - 1;
  int part = thread % others + 1;
  while (atomic_load(&parts.all[part].has_thread)) part = part % others + 1;
  atomic_store(&parts.all[part].has_thread, 1);
  return part;
}

/* Takes a place in a loop, and sets "part" to its part. Null if no loop has a place. Under the
 * lock. */
static struct loop* joined(int thread, int* part) {
  for (struct loop* loop = pool.top; loop; loop = loop->below) {
    if (loop->places == 0) continue;
    --loop->places;
    *part = free_part(loop->parts, thread);
    atomic_fetch_sub(&pool.open, 1);
    atomic_fetch_add(&loop->helpers, 1);
    return loop;
  }
  return NULL;
}

/* Afterwards "loop" may not exist any more. Either this thread sees the owner waiting, or the
 * owner sees that this thread has left. */
static void leave(struct loop* loop) {
  atomic_fetch_sub(&loop->helpers, 1);
  if (atomic_load(&pool.waiting) == 0) return;
  pthread_mutex_lock(&pool.lock);
  pthread_cond_broadcast(&pool.left);
  pthread_mutex_unlock(&pool.lock);
}

/* Under the lock. The thread wakes on a core other than that of the thread that offered the last
 * loop. */
static void sleep_until_offered(void) {
  const struct strata_avoided avoided = strata_avoid(atomic_load(&pool.core));
  ++pool.sleeping;
  atomic_fetch_sub(&pool.awake, 1);
  pthread_cond_wait(&pool.offered, &pool.lock);
  atomic_fetch_add(&pool.awake, 1);
  --pool.sleeping;
  strata_allow(&avoided);
}

/* "number" is the number of the thread, from 0. */
static void* work(void* number) {
  const int thread = (int)(intptr_t)number;
  for (;;) {
    const int offered = spin_until(&pool.open, 1);
    /* The system may leave a thread on the core where it was started or woken, while others idle:
     * so it leaves the core of the thread that it helps. */
    if (offered) strata_leave_core(atomic_load(&pool.core));
    pthread_mutex_lock(&pool.lock);
    const int ending = pool.ending;
    int part = 0;
    struct loop* const loop = ending ? NULL : joined(thread, &part);
    if (!loop && !offered && !ending) sleep_until_offered();
    pthread_mutex_unlock(&pool.lock);
    if (ending) return NULL;
    if (!loop) continue;
    run_some(loop, part);
    leave(loop);
  }
}

/* For a child process: it has only this thread, and another may have held the lock at the fork. */
static void reset_after_fork(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.offered, NULL);
  pthread_cond_init(&pool.left, NULL);
  pthread_mutex_init(&host.lock, NULL);
  host.run = NULL; /* its threads are not here */
  host.pool = NULL;
  atomic_store(&host.set, 0);
  pool.top = NULL;
  pool.count = pool.sleeping = 0;
  atomic_store(&pool.waiting, 0);
  atomic_store(&pool.open, 0);
  atomic_store(&pool.awake, 0);
}

static void register_fork_handler(void) { pthread_atfork(NULL, NULL, reset_after_fork); }

static void prepare_for_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_fork_handler);
}

/* Runs before this code is unloaded. */
__attribute__((destructor)) static void end_threads(void) {
  pthread_mutex_lock(&pool.lock);
  pool.ending = 1;
  pthread_cond_broadcast(&pool.offered);
  pthread_mutex_unlock(&pool.lock);
  for (int n = 0; n < pool.count; ++n) pthread_join(pool.threads[n], NULL);
}

/* Grows the pool to "wanted" threads, as far as the system allows. Under the lock. */
static void grow(int wanted) {
  prepare_for_forks();
  while (pool.count < wanted && !pool.ending) {
    void* const number = (void*)(intptr_t)pool.count;
    if (pthread_create(&pool.threads[pool.count], NULL, work, number) != 0) return;
    ++pool.count;
    atomic_fetch_add(&pool.awake, 1);
  }
}

/* The number of threads that are worth waking for a loop, at least one. */
static int wakings(const struct loop* loop) {
  return loop->work < waking * loop->places ? 1 + (int)(loop->work / waking) : loop->places;
}

static void offer(struct loop* loop) {
  atomic_store(&pool.core, sched_getcpu());
  const int wanted = wakings(loop);
  pthread_mutex_lock(&pool.lock);
  grow(loop->places);
  loop->below = pool.top;
  pool.top = loop;
  atomic_fetch_add(&pool.open, loop->places);
  const int woken = wanted < pool.sleeping ? wanted : pool.sleeping;
  pthread_mutex_unlock(&pool.lock);
  for (int n = 0; n < woken; ++n) pthread_cond_signal(&pool.offered);
}

/* Afterwards no thread can join the loop. */
static void withdraw(struct loop* loop) {
  pthread_mutex_lock(&pool.lock);
  struct loop** place = &pool.top;
  while (*place && *place != loop) place = &(*place)->below;
  if (*place) { /* in a child process, the loop around the fork is not on the list */
    *place = loop->below;
    atomic_fetch_sub(&pool.open, loop->places);
  }
  pthread_mutex_unlock(&pool.lock);
}

static void wait_for_helpers(struct loop* loop) {
  if (spin_until(&loop->helpers, 0)) return;
  pthread_mutex_lock(&pool.lock);
  atomic_fetch_add(&pool.waiting, 1);
  while (atomic_load(&loop->helpers) > 0) pthread_cond_wait(&pool.left, &pool.lock);
  atomic_fetch_sub(&pool.waiting, 1);
  pthread_mutex_unlock(&pool.lock);
}

void strata_use_threads_for_all_loops(int all) { atomic_store(&all_are_long, all); }

/* The number of threads for "count" iterations. */
static int threads_for(int count, double work) {
  if (count < 2 || work < 1) return 1;
  const int number = strata_number_of_threads(), most = number < count ? number : count;
  return work < most - 1 ? 1 + (int)work : most;
}

/* True if a thread is awake, or if it is worth waking one for this loop together with those shortly
 * before it, which ran without one. If the next loop comes late, the thread sleeps again. */
static int are_worth_threads(double work) {
  static _Thread_local double missed;
  static _Thread_local long long last;
  if (atomic_load(&pool.awake) == 0 && work < waking) {
    const long long time = now();
    missed = work + (time - last < patience_in_ns ? missed : 0);
    last = time;
    if (missed < waking) return 0;
  }
  missed = 0;
  return 1;
}

/* Decides how a loop is divided among threads. A thread takes so many iterations at a time that
 * their work is worth it, but no more than a quarter of its part. */
static void divide(struct loop* loop, int count) {
  const double enough = count * least_share / loop->work;
  const double most = (double)count / (4.0 * loop->parts.count);
  const double share = most < enough ? most : enough;
  loop->parts.share = share > 1 ? (int)share : 1;
  const double rest = count * least_help / loop->work;
  loop->parts.rest = rest < count ? (int)rest : rest > 0 ? count : 0;
  strata_share_out(loop->parts, count);
}

void strata_set_pool(strata_pool run, void* of) {
  prepare_for_forks();
  pthread_mutex_lock(&host.lock);
  host.run = run;
  host.pool = of;
  atomic_store(&host.set, run != NULL);
  pthread_mutex_unlock(&host.lock);
}

/* A task of the host's pool. From here on its part has a thread. Until then the others may take all
 * of the part. */
static void run_part(void* data, int part) {
  struct loop* const loop = data;
  atomic_store(&loop->parts.all[part].has_thread, 1);
  run_some(loop, part);
}

/* Runs the loop on the pool of the host program; 0 if there is none. */
static int run_on_host(struct loop* loop) {
  if (!atomic_load(&host.set)) return 0;
  pthread_mutex_lock(&host.lock);
  const strata_pool run = host.run;
  void* const of = host.pool;
  pthread_mutex_unlock(&host.lock);
  if (run) run(of, run_part, loop, loop->parts.count);
  return run != NULL;
}

static void run_on_own_threads(struct loop* loop) {
  atomic_store(&loop->parts.all[0].has_thread, 1);
  offer(loop);
  run_some(loop, 0);
  withdraw(loop);
  wait_for_helpers(loop);
}

/* Runs "count" iterations. */
static int run_some_ranges(strata_range run, int64_t first, int count, void* closure, double work) {
  const int threads = threads_for(count, work);
  if (threads < 2 || (!atomic_load(&host.set) && !are_worth_threads(work)))
    return run(closure, first, first + count);
  char message[strata_message_size];
  struct part parts[threads];
  struct loop loop = {.run = run,
                      .closure = closure,
                      .first = first,
                      .parts = {.all = parts, .count = threads},
                      .work = work,
                      .message = message,
                      .places = threads - 1};
  divide(&loop, count);
  if (!run_on_host(&loop)) run_on_own_threads(&loop);
  return result_of(&loop);
}

/* The parts count iterations in int. */
int strata_run_ranges(strata_range run, int64_t first, int64_t end, void* closure, double work) {
  if (atomic_load(&all_are_long)) work = HUGE_VAL;
  int result = 0;
  while (first < end && result == 0) {
    const int count = end - first < INT_MAX ? (int)(end - first) : INT_MAX;
    result = run_some_ranges(run, first, count, closure, work);
    first += count;
  }
  return result;
}

struct iterations {
  strata_iteration run;
  unsigned char* closure;
};

/* Runs iterations in their order, until one fails. */
static int run_in_order(void* iterations, int64_t first, int64_t end) {
  const struct iterations* const all = iterations;
  for (int64_t i = first; i < end; ++i) {
    const int result = all->run(NULL, (int)i, all->closure);
    if (result) return result;
  }
  return 0;
}

int strata_run_parallel(strata_iteration run, int first, int count, unsigned char* closure,
                        double work) {
  struct iterations all = {run, closure};
  return strata_run_ranges(run_in_order, first, (int64_t)first + count, &all, work);
}
