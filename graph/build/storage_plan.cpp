#include "graph/build/storage_plan.h"

#include <algorithm>
#include <optional>

namespace strata::graph {

namespace {

// The factor by which a storage may be too large or too small.
constexpr std::int64_t most_range = 16;

class Planner {
 public:
  explicit Planner(const std::vector<PlannedArray>& arrays) : arrays_(arrays) {}

  StoragePlan operator()() {
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
      release_before(arrays_[k].first);
      const bool is_used = arrays_[k].last > arrays_[k].first;
      auto found = is_used ? find(arrays_[k]) : free_.end();
      plan_.storage_of.push_back(found == free_.end() ? added(arrays_[k]) : *found);
      if (found != free_.end()) free_.erase(found);
      if (is_used) live_.push_back(k);
    }
    return std::move(plan_);
  }

 private:
  using Free = std::vector<std::size_t>;  // storages, in the order in which they have become free

  void release_before(std::size_t place) {
    std::stable_sort(live_.begin(), live_.end(), [&](std::size_t a, std::size_t b) {
      return arrays_[a].last < arrays_[b].last;
    });
    auto end = live_.begin();
    for (; end != live_.end() && arrays_[*end].last < place; ++end)
      free_.push_back(plan_.storage_of[*end]);
    live_.erase(live_.begin(), end);
  }

  Free::iterator find(const PlannedArray& array) {
    const auto size = constant_dim(array.bytes);
    auto best = free_.end();
    std::int64_t best_size = 0;
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      const StoragePlan::Storage& storage = plan_.storages[*at];
      if (storage.element != array.element) continue;
      const auto there = constant_dim(storage.bytes);
      if (!size || !there) {
        if (dim_text(storage.bytes) == dim_text(array.bytes)) return at;
        continue;
      }
      if (*there / most_range > *size || *there < *size / most_range) continue;
      if (best == free_.end() || is_better(*there, best_size, *size)) {
        best = at;
        best_size = *there;
      }
    }
    if (size && best != free_.end() && best_size < *size) plan_.storages[*best].bytes = array.bytes;
    return best;
  }

  // The smallest that is large enough, else the largest.
  static bool is_better(std::int64_t one, std::int64_t best, std::int64_t wanted) {
    if ((one >= wanted) != (best >= wanted)) return one >= wanted;
    return one >= wanted ? one < best : one > best;
  }

  std::size_t added(const PlannedArray& array) {
    plan_.storages.push_back({array.bytes, array.element});
    return plan_.storages.size() - 1;
  }

  const std::vector<PlannedArray>& arrays_;
  StoragePlan plan_ = {};
  Free free_ = {};
  std::vector<std::size_t> live_ = {};  // arrays
};

}  // namespace

StoragePlan plan_storages(const std::vector<PlannedArray>& arrays) { return Planner(arrays)(); }

}  // namespace strata::graph
