/* The iterations of a parallel loop, shared out among its threads.
 *
 * Each thread begins with a part of its own, a range of adjacent iterations: neighbours mostly use
 * neighbouring memory, and in the next loop over the same data a thread gets the same part, which
 * its cache may still hold.  A thread whose part is done takes the latter half of what another has
 * left (work stealing: Blumofe and Leiserson, Scheduling multithreaded computations by work
 * stealing, JACM 1999; of ranges, so that what is stolen is adjacent, too). */
#ifndef STRATA_RUNTIME_PARTS_H
#define STRATA_RUNTIME_PARTS_H

#include <stdatomic.h>

/* On cache lines of its own, since one thread writes it again and again; two, since some CPUs fetch
 * pairs of lines. */
struct part {
  _Alignas(128) atomic_ullong range; /* what is left: the first in the upper half, the end below */
  atomic_int has_thread;             /* set by the caller */
};

struct parts {
  struct part* all;
  int count;
  int share; /* the iterations that a thread takes at a time, at least 1 */
  int rest;  /* a part with a thread and no more iterations than these is left to that thread */
};

/* Iterations first .. end - 1; none if first == end. */
struct taken {
  int first, end;
};

/* Divides the iterations 0 .. iterations - 1 into parts of nearly the same length. */
void strata_share_out(struct parts parts, int iterations);

/* The next iterations for the thread with the part "own".  Each iteration is taken once. */
struct taken strata_take(struct parts parts, int own);

#endif
