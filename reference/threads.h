// The thread of its block that runs an execution, found point by point.
#pragma once

#include <map>
#include <optional>

#include "reference/executions.h"

namespace strata::reference {

// Threads are counted from the lower bounds of their loops. A lower bound may be less than the
// least iteration, where an iteration of the loops around has fewer, so a thread has two numbers:
// of the iterators, and of what they are above the least. Both have the axes z, y, x, which are 0
// where there is no loop.
struct Thread {
  Point iterators, from_least;
  // The innermost thread loop, and the iteration of the other loops around it.
  std::vector<int> loop;
  Point around;
};
// In one loop, whose lower bound is the same for both.
bool surely_differ(const Thread& a, const Thread& b);
bool may_differ(const Thread& a, const Thread& b);

class Threads {
 public:
  explicit Threads(const std::vector<Scheduled>& all);

  // Nothing for an execution in no thread loop.
  std::optional<Thread> of(const Scheduled& execution) const;

 private:
  // A loop in one iteration of those around it.
  using Key = std::pair<std::vector<int>, Point>;
  static Key key_of(const Scheduled& execution, std::size_t level);

  std::map<Key, std::int64_t> least_;
};

}  // namespace strata::reference
