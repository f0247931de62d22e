#include "parts.h"

typedef unsigned long long range;

static range between(unsigned first, unsigned end) { return (range)first << 32 | end; }
static unsigned first_of(range r) { return (unsigned)(r >> 32); }
static unsigned end_of(range r) { return (unsigned)r; }
static unsigned length(range r) { return end_of(r) - first_of(r); }

static const struct taken nothing = {0, 0};

void strata_share_out(struct parts parts, int iterations) {
  for (int n = 0; n < parts.count; ++n) {
    const range first = (range)iterations * (range)n / (range)parts.count;
    const range end = (range)iterations * (range)(n + 1) / (range)parts.count;
    atomic_init(&parts.all[n].range, between((unsigned)first, (unsigned)end));
    atomic_init(&parts.all[n].has_thread, 0);
  }
}

/* A part never has a range again that it had before, since its iterations leave it for good. So an
 * exchange that succeeds has seen all changes. */
static struct taken taken_from_front(struct part* part, unsigned share) {
  range left = atomic_load(&part->range);
  while (length(left) > 0) {
    const unsigned first = first_of(left), count = share < length(left) ? share : length(left);
    if (atomic_compare_exchange_weak(&part->range, &left, between(first + count, end_of(left))))
      return (struct taken){(int)first, (int)(first + count)};
  }
  return nothing;
}

/* Moves the latter half of "from" to "own", which is empty. Returns 0 if it is not worth it. */
static int steal(struct part* from, struct part* own, unsigned rest) {
  range left = atomic_load(&from->range);
  while (length(left) > 0 && (length(left) > rest || !atomic_load(&from->has_thread))) {
    const unsigned middle = first_of(left) + length(left) / 2;
    if (!atomic_compare_exchange_weak(&from->range, &left, between(first_of(left), middle)))
      continue;
    atomic_store(&own->range, between(middle, end_of(left)));
    return 1;
  }
  return 0;
}

struct taken strata_take(struct parts parts, int own) {
  struct part* const mine = &parts.all[own];
  for (;;) {
    const struct taken found = taken_from_front(mine, (unsigned)parts.share);
    if (found.first < found.end) return found;
    int stolen = 0;
    for (int n = 1; n < parts.count && !stolen; ++n)
      stolen = steal(&parts.all[(own + n) % parts.count], mine, (unsigned)parts.rest);
    if (!stolen) return nothing;
  }
}
