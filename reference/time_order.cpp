#include "reference/time_order.h"

#include "reference/processors.h"

namespace strata::reference {

bool before(const Scheduled& a, const Scheduled& b) {
  for (std::size_t level = 0;; ++level) {
    if (a.path[level] != b.path[level]) return a.path[level] < b.path[level];
    if (level == a.iterators.size()) return false;
    const std::int64_t x = a.iterators[level], y = b.iterators[level];
    if (x == y) continue;
    const Iterated loop = iterated(a.around[level]->processor);
    if (loop == Iterated::in_any) return false;
    if (loop == Iterated::in_turn) return x < y;
    if (x > y) return false;
  }
}

bool concurrent(const Scheduled& a, const Scheduled& b) {
  for (std::size_t level = 0;; ++level) {
    if (a.path[level] != b.path[level] || level == a.iterators.size()) return false;
    const Iterated loop = iterated(a.around[level]->processor);
    if (a.iterators[level] == b.iterators[level] || loop == Iterated::in_lanes) continue;
    return loop == Iterated::in_any;
  }
}

}  // namespace strata::reference
