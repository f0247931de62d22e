#include "reference/loop_tree_theta.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "reference/time_order.h"

namespace strata::reference {

namespace {

constexpr std::size_t most_pairs = 4'000'000;

// For each loop around "planned", the matching iteration in "done", if there is one.
using Match = std::vector<const LoopIteration*>;

std::optional<Match> matched(const Scheduled& planned, const Executed& done) {
  Match match(planned.around.size(), nullptr);
  std::size_t level = 0;
  for (const LoopIteration& loop : done.loops) {
    while (level < planned.around.size() && (planned.around[level]->name != loop.name ||
                                             planned.around[level]->processor != loop.processor))
      ++level;
    if (level == planned.around.size()) return std::nullopt;
    match[level++] = &loop;
  }
  return match;
}

class Comparison {
 public:
  Comparison(const Mapping& mapping, const Algorithm& algorithm, const Parameters& parameters,
             const std::vector<Executed>& trace, const Instances& idle)
      : algorithm_(algorithm), plan_(executions(mapping, algorithm, parameters)), trace_(trace) {
    std::erase_if(plan_, [&](const Scheduled& s) {
      return idle.count({algorithm.definitions[s.definition].name, s.instance}) != 0;
    });
  }

  std::vector<std::string> run() {
    pair_up();
    if (findings_.empty()) check_order();
    check_loops();
    return std::move(findings_);
  }

 private:
  using Key = std::pair<std::string, Point>;

  void find(std::string text) {
    if (findings_.size() < 100) findings_.push_back(std::move(text));
  }

  std::string told(const Executed& done) const {
    std::string loops;
    for (const LoopIteration& l : done.loops)
      loops += fmt::format(" {}={}:{}", l.name, l.value, strata::to_string(l.processor));
    return reference::to_string(done.computation, done.instance) + " under" + loops;
  }

  // Pairs each execution of the trace with a planned one: the n-th execution of an instance by
  // position with its n-th in time.
  void pair_up() {
    std::map<Key, std::vector<const Scheduled*>> open;
    for (const Scheduled& s : plan_)
      open[{algorithm_.definitions[s.definition].name, s.instance}].push_back(&s);
    for (auto& [key, all] : open)
      std::sort(all.begin(), all.end(),
                [](const Scheduled* a, const Scheduled* b) { return a->time() < b->time(); });
    planned_.assign(trace_.size(), nullptr);
    std::map<Key, std::size_t> paired;
    for (const std::size_t n : by_position()) {
      const Key key{trace_[n].computation, trace_[n].instance};
      const std::size_t next = paired[key]++;
      if (next < open[key].size())
        planned_[n] = open[key][next];
      else
        find("runs and is not scheduled (so often): " + told(trace_[n]));
    }
    for (const auto& [key, all] : open)
      for (std::size_t next = paired[key]; next < all.size(); ++next)
        find("is scheduled and does not run: " + reference::to_string(algorithm_, *all[next]));
  }

  std::vector<std::size_t> by_position() const {
    std::vector<std::size_t> order(trace_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return trace_[a].position < trace_[b].position;
    });
    return order;
  }

  // All pairs; in a long trace, pairs at distances that grow by an eighth each.
  void check_order() {
    const std::size_t n = planned_.size();
    const bool all = n * n / 2 <= most_pairs;
    for (std::size_t later = 0; later < n; ++later)
      for (std::size_t gap = 1; gap <= later; gap = all ? gap + 1 : gap + gap / 8 + 1)
        if (before(*planned_[later], *planned_[later - gap]))
          find(fmt::format("{} runs before {}",
                           reference::to_string(algorithm_, *planned_[later - gap]),
                           reference::to_string(algorithm_, *planned_[later])));
  }

  // A loop is identified by its static prefix and the iterations of the loops around it.
  using LoopKey = std::pair<std::vector<int>, Point>;
  // The iterations that each inner branch needs, by the branch's path.
  using Ranges = std::map<std::vector<int>, std::set<std::int64_t>>;
  LoopKey key_of(const Scheduled& s, std::size_t level) const {
    const auto levels = std::ptrdiff_t(level);
    return {{s.path.begin(), s.path.begin() + levels + 1},
            {s.iterators.begin(), s.iterators.begin() + levels}};
  }

  void check_loops() {
    std::map<LoopKey, Ranges> planned;
    std::map<LoopKey, std::set<std::int64_t>> missing;
    std::set<LoopKey> may_stand_apart;  // one iteration may be apart: no lanes or threads share it
    for (const Scheduled& s : plan_)
      for (std::size_t level = 0; level < s.iterators.size(); ++level)
        planned[key_of(s, level)][s.path].insert(s.iterators[level]);
    for (std::size_t n = 0; n < trace_.size(); ++n) {
      if (planned_[n] == nullptr) continue;
      const auto match = matched(*planned_[n], trace_[n]);
      if (!match) find("is under loops of another name or processor: " + told(trace_[n]));
      for (std::size_t level = 0; match && level < match->size(); ++level)
        if ((*match)[level] == nullptr) {
          const LoopKey key = key_of(*planned_[n], level);
          missing[key].insert(planned_[n]->iterators[level]);
          const Processor processor = planned_[n]->around[level]->processor;
          if (processor == Processor::sequential || processor == Processor::unrolled)
            may_stand_apart.insert(key);
        }
    }
    for (const auto& [key, values] : missing) {
      std::vector<std::int64_t> within;  // not near the end of a range
      for (std::int64_t v : values)
        if (!near_an_end(planned[key], v)) within.push_back(v);
      std::set<std::int64_t> all;
      for (const auto& [path, range] : planned[key]) all.insert(range.begin(), range.end());
      const bool is_there = values.size() < all.size();
      if (is_there && within.size() == 1 && may_stand_apart.count(key) != 0) continue;
      for (std::int64_t v : within)
        find(fmt::format("the loop {} under {} is missing around iteration {}",
                         reference::to_string(Point(key.first.begin(), key.first.end())),
                         reference::to_string(key.second), v));
    }
  }

  // Iterations are peeled off a loop where the range of one of its branches begins, ends or has a
  // gap.
  static bool near_an_end(const Ranges& ranges, std::int64_t v) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& owner) {
      const std::set<std::int64_t>& all = owner.second;
      std::int64_t stride = 0;
      for (std::int64_t other : all) stride = std::gcd(stride, other - *all.begin());
      const auto has = [&](std::int64_t steps) { return all.count(v + steps * stride) != 0; };
      const bool inside = has(-2) && has(-1) && has(1) && has(2);
      return std::abs(v - *all.begin()) <= 1 || std::abs(v - *all.rbegin()) <= 1 ||
             (all.count(v) != 0 && !inside);
    });
  }

  const Algorithm& algorithm_;
  std::vector<Scheduled> plan_;
  const std::vector<Executed>& trace_;
  std::vector<const Scheduled*> planned_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> differences_from_theta(const Mapping& mapping, const Algorithm& algorithm,
                                                const Parameters& parameters,
                                                const std::vector<Executed>& trace,
                                                const Instances& idle) {
  return Comparison(mapping, algorithm, parameters, trace, idle).run();
}

}  // namespace strata::reference
