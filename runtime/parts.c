#include "parts.h"

typedef unsigned long long range;

static range between(unsigned first, unsigned end) { return (range)first << 32 | end; }
static unsigned first_of(range r) { return (unsigned)(r >> 32); }
static unsigned end_of(range r) { return (unsigned)r; }

void strata_share_out(struct part* parts, int count, int iterations) {
  for (int n = 0; n < count; ++n) {
    const range first = (range)iterations * (range)n / (range)count;
    const range end = (range)iterations * (range)(n + 1) / (range)count;
    atomic_init(&parts[n].range, between((unsigned)first, (unsigned)end));
    parts[n].taken = 0;
  }
}

/* A range never returns to a value that it had, since iterations leave it for good: so an exchange
 * that succeeds has seen all changes before it. */
static long long taken_from_front(struct part* part) {
  range left = atomic_load(&part->range);
  while (first_of(left) < end_of(left)) {
    const range rest = between(first_of(left) + 1, end_of(left));
    if (atomic_compare_exchange_weak(&part->range, &left, rest)) return first_of(left);
  }
  return -1;
}

/* Takes the latter half of "from": returns its first iteration, and leaves the others in "own",
 * which is empty. */
static long long stolen(struct part* from, struct part* own) {
  range left = atomic_load(&from->range);
  while (first_of(left) < end_of(left)) {
    const unsigned middle = first_of(left) + (end_of(left) - first_of(left)) / 2;
    if (!atomic_compare_exchange_weak(&from->range, &left, between(first_of(left), middle)))
      continue;
    atomic_store(&own->range, between(middle + 1, end_of(left)));
    return middle;
  }
  return -1;
}

long long strata_next_iteration(struct part* parts, int count, int own) {
  long long iteration = taken_from_front(&parts[own]);
  for (int n = 1; n < count && iteration < 0; ++n)
    iteration = stolen(&parts[(own + n) % count], &parts[own]);
  return iteration;
}
