#include "reference/threads.h"

#include <algorithm>

namespace strata::reference {

namespace {

constexpr std::size_t axes = 3;

bool is_thread_loop(const Scheduled& execution, std::size_t level) {
  return execution.around[level]->processor == Processor::thread;
}

}  // namespace

bool surely_differ(const Thread& a, const Thread& b) {
  return a.loop == b.loop && a.around == b.around && a.iterators != b.iterators;
}

bool may_differ(const Thread& a, const Thread& b) {
  return a.iterators != b.iterators || a.from_least != b.from_least;
}

Threads::Threads(const std::vector<Scheduled>& all) {
  for (const Scheduled& execution : all)
    for (std::size_t level = 0; level < execution.around.size(); ++level) {
      if (!is_thread_loop(execution, level)) continue;
      const std::int64_t value = execution.iterators[level];
      const auto [known, is_new] = least_.emplace(key_of(execution, level), value);
      if (!is_new) known->second = std::min(known->second, value);
    }
}

std::optional<Thread> Threads::of(const Scheduled& execution) const {
  Thread thread{Point(axes, 0), Point(axes, 0), {}, {}};
  std::size_t axis = axes;
  for (std::size_t level = execution.around.size(); level-- > 0 && axis > 0;) {
    if (!is_thread_loop(execution, level)) {
      if (axis < axes) thread.around.push_back(execution.iterators[level]);
      continue;
    }
    if (axis == axes) thread.loop = key_of(execution, level).first;
    thread.iterators[--axis] = execution.iterators[level];
    thread.from_least[axis] = execution.iterators[level] - least_.at(key_of(execution, level));
  }
  return axis == axes ? std::nullopt : std::optional(thread);
}

Threads::Key Threads::key_of(const Scheduled& execution, std::size_t level) {
  const auto count = std::ptrdiff_t(level);
  return {{execution.path.begin(), execution.path.begin() + count + 1},
          {execution.iterators.begin(), execution.iterators.begin() + count}};
}

}  // namespace strata::reference
