#include "reference/lane_order.h"

#include <algorithm>

#include "reference/processors.h"

namespace strata::reference {

LaneChoice lockstep_of(std::set<std::vector<int>> loops) {
  return [loops = std::move(loops)](const std::vector<int>& loop, const auto&) {
    return loops.count(loop) == 0;
  };
}

LaneChoice mixed(std::uint64_t seed) {
  return [seed](const std::vector<int>& loop, const std::vector<int>& inside) {
    std::uint64_t hash = seed;
    for (int b : loop) hash = (hash ^ std::uint64_t(b + 1)) * 0x9e3779b97f4a7c15;
    for (int b : inside) hash = (hash ^ std::uint64_t(b + 1)) * 0xbf58476d1ce4e5b9;
    return (hash >> 40) % 2 == 0;
  };
}

std::set<std::vector<int>> vector_loops(const std::vector<Scheduled>& all) {
  std::set<std::vector<int>> found;
  for (const Scheduled& s : all)
    for (std::size_t level = 0; level < s.around.size(); ++level)
      if (iterated(s.around[level]->processor) == Iterated::in_lanes)
        found.emplace(s.path.begin(), s.path.begin() + std::ptrdiff_t(level) + 1);
  return found;
}

namespace {

struct Lane {
  std::vector<int> loop;
  std::int64_t value;
};

}  // namespace

// [b0, t0, b1, ..], with the lanes of each vector loop at the position that was chosen for them.
OrderKey order_key(const Scheduled& execution, const LaneChoice& choice) {
  OrderKey result;
  std::vector<Lane> open;
  std::vector<int> prefix;
  const auto settle = [&] {
    std::erase_if(open, [&](const Lane& lane) {
      const bool here = choice(lane.loop, prefix);
      if (here) result.key.push_back(lane.value);
      return here;
    });
  };
  for (std::size_t level = 0; level < execution.path.size(); ++level) {
    prefix.push_back(execution.path[level]);
    result.key.push_back(execution.path[level]);
    settle();
    if (level == execution.iterators.size()) break;
    if (iterated(execution.around[level]->processor) != Iterated::in_lanes) {
      result.key.push_back(execution.iterators[level]);
    } else {
      open.push_back({prefix, execution.iterators[level]});
      settle();
    }
  }
  for (const Lane& lane : open) result.lanes.push_back(lane.value);
  return result;
}

std::vector<Instruction> instructions(const std::vector<Scheduled>& all, const LaneChoice& choice) {
  std::vector<std::pair<std::pair<Point, Point>, std::size_t>> order;
  for (std::size_t n = 0; n < all.size(); ++n) {
    OrderKey key = order_key(all[n], choice);
    order.push_back({{std::move(key.key), std::move(key.lanes)}, n});
  }
  std::sort(order.begin(), order.end());
  std::vector<Instruction> result;
  for (std::size_t n = 0; n < order.size(); ++n) {
    if (n == 0 || order[n].first.first != order[n - 1].first.first) result.emplace_back();
    result.back().push_back(order[n].second);
  }
  return result;
}

}  // namespace strata::reference
