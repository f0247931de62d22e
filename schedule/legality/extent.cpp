#include "schedule/legality/extent.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "schedule/legality/proved.h"

namespace strata {

namespace {

// How many of the leading loops do not step over tiles of a parametric size.
int known_loops(const Placed& placed, std::size_t leading) {
  return int(std::count_if(placed.loops.begin(), placed.loops.begin() + long(leading),
                           [](const Loop* loop) { return !loop->tile_size; }));
}

// { [t0, .., t(p-1)] -> [t_p] : an owner of the loop at "path" runs an instance at t0 .. t_p }, but
// for levels of tiles of a parametric size.
isl::map iterations(const Program& program, const Path& path) {
  std::optional<isl::map> all;
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, path)) continue;
    const int depth = known_loops(placed, path.size());
    isl::set times = known_time(executions(*placed.branch), placed.loops).range();
    times = times.intersect_params(program.algorithm->context);
    const unsigned inner = times.tuple_dim() - unsigned(depth);
    times = isl::manage(isl_set_project_out(times.release(), isl_dim_set, unsigned(depth), inner));
    isl::map one = isl::manage(isl_map_from_range(times.release()));
    one = isl::manage(
        isl_map_move_dims(one.release(), isl_dim_in, 0, isl_dim_out, 0, unsigned(depth) - 1));
    all = all ? all->unite(one) : one;
  }
  return *all;
}

// Has the loop constant bounds?  Then the number of its iterations is bounded.
bool has_constant_bounds(const Program& program, const Path& path) {
  const int level = int(path.size()) - 1;
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, path)) continue;
    const isl::map time = executions(*placed.branch);
    isl::set times = time.range();
    if (!times.dim_min_val(level).is_int() || !times.dim_max_val(level).is_int()) return false;
  }
  return true;
}

bool is_tagged(const Loop& loop) { return traits(loop.processor).constant_extent; }

void collect_tagged(const std::vector<Node>& nodes, Path& path, std::vector<Path>& found) {
  for (int position = 0; position < int(nodes.size()); ++position) {
    if (!nodes[position].is_loop()) continue;
    const Loop& loop = nodes[position].loop();
    path.push_back(position);
    if (is_tagged(loop)) found.push_back(path);
    collect_tagged(loop.body, path, found);
    path.pop_back();
  }
}

// The branch that runs the same instances at the same times, or null.
const Placed* same_branch(const std::vector<Placed>& before, const Placed& now) {
  for (const Placed& placed : before) {
    const isl::map then = placed.branch->time, time = now.branch->time;
    const isl::set ran = placed.branch->instances, runs = now.branch->instances;
    if (placed.loops.size() == now.loops.size() &&
        isl_map_plain_is_equal(then.get(), time.get()) == isl_bool_true &&
        isl_set_plain_is_equal(ran.get(), runs.get()) == isl_bool_true)
      return &placed;
  }
  return nullptr;
}

bool same_tile_sizes(const Placed& a, const Placed& b) {
  return std::equal(a.loops.begin(), a.loops.end(), b.loops.begin(),
                    [](const Loop* x, const Loop* y) { return x->tile_size == y->tile_size; });
}

// Was the loop a tagged one with the same owners, at the same times, in the state proved last?
bool was_bounded(const Program& program, const Path& path) {
  if (!program.proved) return false;
  const Loop* known = nullptr;
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, path)) continue;
    const auto before = branches_of(program.proved->complete, placed.branch->definition);
    const Placed* same = same_branch(before, placed);
    if (!same || !same_tile_sizes(*same, placed)) return false;
    const Loop* loop = same->loops[path.size() - 1];
    if (!is_tagged(*loop) || (known && known != loop)) return false;
    known = loop;
  }
  return true;
}

}  // namespace

std::optional<std::int64_t> constant_extent(const Program& program, const Path& path) {
  const isl::map runs = iterations(program, path);
  if (runs.is_empty()) return 0;
  const isl::set differences =
      runs.reverse().apply_range(runs).deltas().coalesce();
  const isl::val largest = differences.dim_max_val(0);
  if (!largest.is_int()) return std::nullopt;
  return std::int64_t(largest.num_si()) + 1;
}

std::optional<Path> find_unbounded_tag(const Program& program) {
  Path path;
  std::vector<Path> tagged;
  collect_tagged(program.mapping.roots, path, tagged);
  for (const Path& loop : tagged)
    if (!was_bounded(program, loop) && !has_constant_bounds(program, loop) &&
        !constant_extent(program, loop))
      return loop;
  return std::nullopt;
}

}  // namespace strata
