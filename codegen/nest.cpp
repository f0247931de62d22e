#include "codegen/nest.h"

#include <isl/set.h>

namespace strata {

namespace {

// Builds the forest in the static order in which the TimeSpace lists the branches.
class Builder {
 public:
  explicit Builder(const TimeSpace& space) : space_(space) {}

  std::vector<Nest> build(const std::vector<Node>& nodes, int depth) {
    std::vector<Nest> result;
    for (const Node& node : nodes) {
      Nest nest;
      nest.depth = depth;
      if (node.is_loop()) {
        nest.loop = &node.loop();
        nest.id = loops_++;
        nest.body = build(node.loop().body, depth + 1);
        if (nest.body.empty()) continue;
      } else {
        nest.branch = branches_++;
        nest.times = space_.branches[nest.branch].times;
        if (nest.times.is_empty()) continue;
      }
      result.push_back(std::move(nest));
    }
    return result;
  }

 private:
  const TimeSpace& space_;
  int branches_ = 0;
  int loops_ = 0;
};

}  // namespace

std::vector<Nest> nests(const TimeSpace& space, const Mapping& mapping) {
  return Builder(space).build(mapping.roots, 0);
}

isl::set prefixes(const isl::set& times, int n) {
  isl_set* result = times.copy();
  result = isl_set_reset_tuple_id(result);
  return isl::manage(
      isl_set_project_out(result, isl_dim_set, n, isl_set_dim(result, isl_dim_set) - n));
}

isl::set within(const isl::set& times, const isl::set& region) {
  const auto more = times.tuple_dim() - region.tuple_dim();
  isl_set* cylinder = isl_set_add_dims(region.copy(), isl_dim_set, more);
  cylinder = isl_set_set_tuple_id(cylinder, isl_set_get_tuple_id(times.get()));
  return times.intersect(isl::manage(cylinder));
}

std::vector<Nest> restricted(const std::vector<Nest>& nests, const isl::set& region) {
  std::vector<Nest> result;
  for (Nest nest : nests) {
    if (nest.loop)
      nest.body = restricted(nest.body, region);
    else
      nest.times = within(nest.times, region).coalesce();
    if (nest.loop ? !nest.body.empty() : !nest.times.is_empty())
      result.push_back(std::move(nest));
  }
  return result;
}

isl::set with_explicit_prefixes(const isl::set& times) {
  isl::set result = times;
  for (int n = 1; n < int(times.tuple_dim()); ++n)
    result = within(result, prefixes(times, n).coalesce());
  result = result.coalesce();
  return isl::manage(isl_set_remove_redundancies(result.release()));
}

}  // namespace strata
