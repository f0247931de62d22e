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

/* On a cache line of its own, since one thread writes it at each iteration. */
struct part {
  _Alignas(64) atomic_ullong range; /* what is left: the first in the upper half, the end below */
  int taken;                        /* by a thread; for the caller */
};

/* Divides the iterations 0 .. iterations - 1 into "count" parts of nearly the same length. */
void strata_share_out(struct part *parts, int count, int iterations);

/* The next iteration for the thread with the part "own"; -1 if none is left.  Each iteration is
 * returned once. */
long long strata_next_iteration(struct part *parts, int count, int own);

#endif
