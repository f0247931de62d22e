#include "codegen/nests/nest.h"

#include <isl/set.h>

#include <optional>

#include "core/sets/coalesce.h"

namespace strata {

namespace {

// Builds the forest in the static order in which the TimeSpace lists the branches.
class Builder {
 public:
  explicit Builder(const TimeSpace& space) : space_(space) {}

  std::vector<Nest> build(const std::vector<Node>& nodes, int depth) {
    std::vector<Nest> result;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      auto nest = nodes[n].is_loop() ? loop(nodes[n].loop(), depth) : branch(depth);
      if (!nest) continue;
      nest->node = int(n);
      result.push_back(std::move(*nest));
    }
    return result;
  }

 private:
  std::optional<Nest> loop(const Loop& loop, int depth) {
    const int id = loops_++;
    std::vector<Nest> body = build(loop.body, depth + 1);
    if (body.empty()) return std::nullopt;
    isl::set iterations = prefixes(body[0].times, depth + 1);
    for (const Nest& inner : body) iterations = iterations.unite(prefixes(inner.times, depth + 1));
    iterations = coalesced(iterations);
    return Nest{LoopNest(loop, id, std::move(body)), depth, 0, iterations, iterations};
  }

  std::optional<Nest> branch(int depth) {
    const int index = branches_++;
    const isl::set& times = space_.branches[index].times;
    if (times.is_empty()) return std::nullopt;
    return Nest{BranchNest{index}, depth, 0, times, times};
  }

  const TimeSpace& space_;
  int branches_ = 0;
  int loops_ = 0;
};

}  // namespace

std::vector<Nest> nests(const TimeSpace& space, const Mapping& mapping) {
  return Builder(space).build(mapping.roots, 0);
}

int count(const std::vector<Nest>& nests) {
  int all = int(nests.size());
  for (const Nest& nest : nests)
    if (nest.is_loop()) all += count(nest.body());
  return all;
}

isl::set prefixes(const isl::set& times, int n) {
  isl_set* some = isl_set_reset_tuple_id(times.copy());
  some = isl_set_project_out(some, isl_dim_set, n, isl_set_dim(some, isl_dim_set) - n);
  return isl::manage(isl_set_remove_unknown_divs(some));
}

isl::set within(const isl::set& times, const isl::set& region) {
  const auto more = times.tuple_dim() - region.tuple_dim();
  isl_set* cylinder = isl_set_add_dims(region.copy(), isl_dim_set, more);
  if (isl_set_has_tuple_id(times.get()))
    cylinder = isl_set_set_tuple_id(cylinder, isl_set_get_tuple_id(times.get()));
  return times.intersect(isl::manage(cylinder));
}

std::vector<Nest> restricted(const std::vector<Nest>& nests, const isl::set& region) {
  std::vector<Nest> result;
  for (Nest nest : nests) {
    nest.times = coalesced(within(nest.times, region));
    if (nest.times.is_empty()) continue;
    if (nest.is_loop()) nest.body() = restricted(nest.body(), region);
    result.push_back(std::move(nest));
  }
  return result;
}

}  // namespace strata
