#include "schedule/edit/forest.h"

#include <fmt/format.h>
#include <isl/map.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/sets/coalesce.h"

namespace strata {

bool precedes(const StaticKey& a, const StaticKey& b) {
  for (std::size_t n = 0; n < std::max(a.size(), b.size()); ++n) {
    const long x = n < a.size() ? a[n] : 0, y = n < b.size() ? b[n] : 0;
    if (x != y) return x < y;
  }
  return false;
}

namespace {

// A branch being inserted into the forest.
struct Growing {
  const FlatBranch* flat;
  std::vector<std::size_t> kept;   // the columns that became loops so far, ascending
  std::vector<std::string> names;  // of the loops around it

  bool ends_at(std::size_t level) const { return flat->columns.size() <= level; }
  const TimeColumn& column(std::size_t level) const { return flat->columns[level]; }
  bool is_loop_at(std::size_t level) const {
    return !ends_at(level) && !column(level).constant.has_value();
  }
  StaticKey key(std::size_t level) const {
    return level < flat->statics.size() ? flat->statics[level] : StaticKey{};
  }
  long constant_at(std::size_t level) const {
    return ends_at(level) ? 0 : column(level).constant.value();
  }
};

using Group = std::vector<Growing>;

// { S[i] -> [t0, .., t(d-1)] } over the columns kept
TimeMap time_of(const Growing& branch) {
  isl_map* time = branch.flat->time.copy();
  for (std::size_t level = branch.flat->columns.size(); level-- > 0;)
    if (!std::binary_search(branch.kept.begin(), branch.kept.end(), level))
      time = isl_map_project_out(time, isl_dim_out, unsigned(level), 1);
  return TimeMap::from(coalesced(isl::manage(time)));
}

class Builder {
 public:
  explicit Builder(const Command& command) : command_(command) {}

  // The nodes, ordered by their keys at "level".
  std::vector<Node> nodes(const Group& group, std::size_t level) const {
    std::map<StaticKey, Group, decltype(&precedes)> by_key(&precedes);
    for (const Growing& branch : group) by_key[branch.key(level)].push_back(branch);
    std::vector<Node> result;
    for (const auto& [key, same] : by_key) append(result, same, level);
    return result;
  }

 private:
  void append(std::vector<Node>& result, const Group& group, std::size_t level) const {
    const auto is_loop = [&](const Growing& b) { return b.is_loop_at(level); };
    const auto ends = [&](const Growing& b) { return b.ends_at(level); };
    if (std::any_of(group.begin(), group.end(), is_loop)) {
      const auto ended = std::find_if(group.begin(), group.end(), ends);
      if (ended != group.end()) refuse_beside_loop(*ended, group);
      result.push_back(loop(group, level));
    } else if (std::all_of(group.begin(), group.end(), ends)) {
      for (const Group& one : by_definition(group)) result.push_back(leaf(one));
    } else {
      append_constants(result, group, level);
    }
  }

  // Branches are ordered by their constants, then by their next keys.
  void append_constants(std::vector<Node>& result, const Group& group, std::size_t level) const {
    std::map<long, Group> by_constant;
    for (const Growing& branch : group) by_constant[branch.constant_at(level)].push_back(branch);
    for (const auto& [constant, same] : by_constant)
      for (Node& node : nodes(same, level + 1)) result.push_back(std::move(node));
  }

  Node loop(const Group& group, std::size_t level) const {
    const TimeColumn& model = group.front().column(level);
    Loop result{model.head};
    result.name = name_for(group, model, level);
    Group inside = group;
    for (Growing& branch : inside) {
      branch.kept.push_back(level);
      branch.names.push_back(result.name);
    }
    result.body = nodes(inside, level + 1);
    return Node{std::move(result)};
  }

  // The model's name, unless the loop is new and that name is taken by a loop around it or by an
  // existing loop further in.
  static std::string name_for(const Group& group, const TimeColumn& model, std::size_t level) {
    if (model.exists) return model.head.name;
    std::set<std::string> taken;
    for (const Growing& branch : group) {
      taken.insert(branch.names.begin(), branch.names.end());
      for (const TimeColumn& column : branch.flat->columns)
        if (column.exists) taken.insert(column.head.name);
    }
    std::string name = model.head.name;
    if (taken.count(name)) name = fmt::format("t{}", level);
    while (taken.count(name)) name += "_";
    return name;
  }

  // Groups branches that end in the same place by definition: each group becomes one branch.
  std::vector<Group> by_definition(const Group& group) const {
    std::vector<Group> result;
    for (const Growing& branch : group) {
      auto same = std::find_if(result.begin(), result.end(), [&](const Group& g) {
        return g.front().flat->definition == branch.flat->definition;
      });
      if (same != result.end()) {
        same->push_back(branch);
        continue;
      }
      for (const Group& other : result) require_apart(other.front(), branch);
      result.push_back({branch});
    }
    return result;
  }

  // Branch::reader_loops, counted in the columns kept.
  static int placed_in(const Growing& branch) {
    return int(std::count_if(branch.kept.begin(), branch.kept.end(), [&](std::size_t level) {
      return int(level) < branch.flat->reader_loops;
    }));
  }

  static Node leaf(const Group& group) {
    Branch branch{group.front().flat->definition, time_of(group.front()),
                  group.front().flat->instances,  placed_in(group.front()),
                  group.front().flat->piece,      group.front().flat->asynchronous,
                  group.front().flat->mma};
    if (group.size() == 1) return Node{branch};
    isl::map time = executions(branch);
    isl::set instances = branch.instances;
    for (std::size_t n = 1; n < group.size(); ++n) {
      const isl::set more = group[n].flat->instances;
      time = time.unite(isl::map(time_of(group[n])).intersect_domain(more));
      instances = instances.unite(more);
    }
    return Node{Branch{branch.definition, TimeMap::from(coalesced(time)),
                       InstanceSet::from(coalesced(instances)), branch.reader_loops, branch.piece,
                       branch.asynchronous, branch.mma}};
  }

  void require_apart(const Growing& a, const Growing& b) const {
    const auto times = [](const Growing& g) {
      return isl::map(time_of(g)).intersect_domain(g.flat->instances).range();
    };
    if (times(a).is_disjoint(times(b))) return;
    throw command_.refused(Code::E0203_not_injective,
                           fmt::format("{} and {} would run at the same times", a.flat->definition,
                                       b.flat->definition),
                           "give them different static dimensions");
  }

  [[noreturn]] void refuse_beside_loop(const Growing& ended, const Group& group) const {
    const auto other = std::find_if(group.begin(), group.end(), [&](const Growing& b) {
      return b.flat->columns.size() > ended.flat->columns.size();
    });
    throw command_.refused(Code::E0203_not_injective,
                           fmt::format("{} would end where {} has a loop", ended.flat->definition,
                                       other->flat->definition),
                           "give them different static dimensions");
  }

  const Command& command_;
};

}  // namespace

std::vector<FlatBranch> flattened(const Mapping& mapping) {
  std::vector<FlatBranch> result;
  for (const Placed& placed : branches(mapping)) {
    FlatBranch flat{
        placed.branch->definition, placed.branch->time, placed.branch->instances, {}, {}};
    for (int position : placed.path) flat.statics.push_back({position});
    for (const Loop* loop : placed.loops) flat.columns.push_back({std::nullopt, *loop, true});
    flat.reader_loops = placed.branch->reader_loops;
    flat.piece = placed.branch->piece;
    flat.asynchronous = placed.branch->asynchronous;
    flat.mma = placed.branch->mma;
    result.push_back(std::move(flat));
  }
  return result;
}

Mapping forest_of(const std::vector<FlatBranch>& branches, const Command& command) {
  Group all;
  for (const FlatBranch& branch : branches) all.push_back({&branch, {}, {}});
  return {Builder(command).nodes(all, 0)};
}

}  // namespace strata
