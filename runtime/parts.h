/* The iterations of a parallel loop, divided among its threads.
 *
 * Each thread begins with a part of its own, a range of adjacent iterations. Neighbours mostly use
 * neighbouring memory. In the next loop over the same data a thread gets the same part, which its
 * cache may still hold. A thread whose part is done takes the latter half of what another has left.
 * This is work stealing (Blumofe and Leiserson, Scheduling multithreaded computations by work
 * stealing, JACM 1999) of ranges, so that the stolen iterations are adjacent, too. */
#ifndef STRATA_RUNTIME_PARTS_H
#define STRATA_RUNTIME_PARTS_H

#include <stdatomic.h>

/* Each part is on cache lines of its own, since one thread writes it again and again: on two, since
 * some CPUs fetch pairs of lines. */
struct part {
  _Alignas(128) atomic_ullong range; /* what is left: first (upper half), end (lower) */
  atomic_int has_thread;             /* set by the caller */
};

struct parts {
  struct part* all;
  int count;
  int share; /* the iterations that a thread takes at a time, at least 1 */
  int rest;  /* a part that has a thread keeps its iterations if there are no more than these */
};

/* Iterations first .. end - 1; none if first == end. */
struct taken {
  int first, end;
};

/* Divides the iterations 0 .. iterations - 1 into parts of nearly the same length. */
void strata_share_out(struct parts parts, int iterations);

/* The next iterations for the thread with the part "own". Each iteration is taken once. */
struct taken strata_take(struct parts parts, int own);

#endif
