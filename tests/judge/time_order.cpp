#include "tests/judge/time_order.h"

namespace strata::judge {

bool before(const Scheduled& a, const Scheduled& b) {
  for (std::size_t level = 0;; ++level) {
    if (a.path[level] != b.path[level]) return a.path[level] < b.path[level];
    if (level == a.iterators.size()) return false;
    const std::int64_t x = a.iterators[level], y = b.iterators[level];
    if (x == y) continue;
    if (a.around[level]->processor == Processor::parallel) return false;
    if (a.around[level]->processor != Processor::vector) return x < y;
    if (x > y) return false;
  }
}

bool concurrent(const Scheduled& a, const Scheduled& b) {
  for (std::size_t level = 0;; ++level) {
    if (a.path[level] != b.path[level] || level == a.iterators.size()) return false;
    const Processor processor = a.around[level]->processor;
    if (a.iterators[level] == b.iterators[level] || processor == Processor::vector) continue;
    return processor == Processor::parallel;
  }
}

}  // namespace strata::judge
