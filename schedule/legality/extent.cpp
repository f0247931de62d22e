#include "schedule/legality/extent.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "core/sets/difference.h"
#include "core/sets/small_integer.h"

namespace strata {

namespace {

// The executions of an owner of a loop, { S[i] -> [t0, .., t(d-1)] }, and for each loop around it
// whether it steps over parametric tiles.
struct Runner {
  isl::map executions;
  std::vector<bool> tiles;
};

// { [t0, .., t_p] : an owner of the loop at level p runs an instance at t0 .. t_p },
// without the levels of parametric tiles.
isl::set iterations(const std::vector<Runner>& owners, unsigned level, const isl::set& context) {
  std::optional<isl::set> all;
  for (const Runner& owner : owners) {
    isl_map* time = owner.executions.copy();
    for (std::size_t n = owner.tiles.size(); n-- > 0;)
      if (owner.tiles[n]) time = isl_map_project_out(time, isl_dim_out, unsigned(n), 1);
    const auto depth =
        unsigned(std::count(owner.tiles.begin(), owner.tiles.begin() + long(level) + 1, false));
    isl::set times = isl::manage(time).range().intersect_params(context);
    const unsigned inner = times.tuple_dim() - depth;
    times = isl::manage(isl_set_project_out(times.release(), isl_dim_set, depth, inner));
    all = all ? all->unite(times) : times;
  }
  return *all;
}

// The owners of the loop at "path".
std::vector<Runner> owners_of(const Program& program, const Path& path) {
  std::vector<Runner> owners;
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, path)) continue;
    owners.push_back({executions(*placed.branch), {}});
    for (const Loop* loop : placed.loops)
      owners.back().tiles.push_back(loop->tile_size.has_value());
  }
  return owners;
}

// Does the loop have constant bounds? Then its number of iterations is bounded.
bool has_constant_bounds(const std::vector<Runner>& owners, unsigned level) {
  return std::all_of(owners.begin(), owners.end(), [&](const Runner& owner) {
    const isl::set times = owner.executions.range();
    return times.dim_min_val(int(level)).is_int() && times.dim_max_val(int(level)).is_int();
  });
}

std::optional<std::int64_t> extent_of(const std::vector<Runner>& owners, unsigned level,
                                      const isl::set& context) {
  const isl::set runs = iterations(owners, level, context);
  if (runs.is_empty()) return 0;
  const auto largest = small_integer(largest_difference(runs));
  return largest ? std::optional(*largest + 1) : std::nullopt;
}

Violation unbounded(const ProgramView& s, const LoopAt& at) {
  const Loop& loop = s.loop(at);
  Violation v{Code::E0106_bad_argument,
              isl::map(s.isl(), "{ [] -> [] }"),
              "the " + to_string(loop.processor) + " loop " + loop.name + " of " +
                  at.branch.definition +
                  " would have a number of iterations without a constant bound",
              "tag the loop after this command, or split it and tag the inner loop",
              {},
              s.theta()};
  v.of_instances = false;
  return v;
}

bool check_extent(const ProgramView& s, const Found& found, const BranchId& branch,
                  const int& level) {
  std::vector<Runner> owners;
  for (const BranchId& owner : s.owners({branch, level})) {
    owners.push_back({s.executions(owner), {}});
    for (const LoopHead& loop : s.relative_position(owner, owner).shared)
      owners.back().tiles.push_back(loop.tile_size.has_value());
  }
  if (has_constant_bounds(owners, unsigned(level)) ||
      extent_of(owners, unsigned(level), s.algorithm().context))
    return true;
  return found(unbounded(s, {branch, level}));
}

}  // namespace

std::optional<std::int64_t> constant_extent(const Program& program, const Path& path) {
  const unsigned level = unsigned(path.size()) - 1;
  return extent_of(owners_of(program, path), level, program.algorithm->context);
}

bool has_constant_extent(const Program& program, const Path& path) {
  const unsigned level = unsigned(path.size()) - 1;
  const std::vector<Runner> owners = owners_of(program, path);
  return has_constant_bounds(owners, level) ||
         extent_of(owners, level, program.algorithm->context).has_value();
}

std::optional<IterationRange> range_of_iterations(const Program& program, const Path& path) {
  std::optional<std::int64_t> least, most;
  for (const Runner& owner : owners_of(program, path)) {
    const isl::map runs = owner.executions.intersect_params(program.algorithm->context);
    const isl::set times = isl::manage(isl_map_wrap(runs.copy())).flatten();
    const int level = int(runs.domain_tuple_dim() + path.size()) - 1;
    if (times.is_empty()) continue;
    const auto low = small_integer(times.dim_min_val(level));
    const auto high = small_integer(times.dim_max_val(level));
    if (!low || !high) return std::nullopt;
    least = std::min(least.value_or(*low), *low);
    most = std::max(most.value_or(*high), *high);
  }
  if (!most) return IterationRange{};
  return IterationRange{*least, *most - *least + 1};
}

std::optional<std::int64_t> most_iterations(const Program& program, const Path& path) {
  const auto range = range_of_iterations(program, path);
  return range ? std::optional(range->count) : std::nullopt;
}

std::optional<Violation> find_unbounded_tag(const ProgramView& s) {
  std::optional<Violation> first;
  const Found keep = [&](Violation v) {
    first = std::move(v);
    return false;
  };
  for (const LoopAt& loop : s.tagged_loops())
    if (!s.check("extent", check_extent, keep, loop.branch, loop.level)) return first;
  return std::nullopt;
}

}  // namespace strata
