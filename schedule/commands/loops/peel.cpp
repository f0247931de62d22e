#include "schedule/commands/loops/peel.h"

#include <fmt/format.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "core/sets/coalesce.h"
#include "core/sets/meter.h"
#include "core/sets/quotients.h"
#include "layers/flow/initial_values.h"
#include "schedule/edit/band.h"
#include "schedule/edit/parametric.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

constexpr std::int64_t most_iterations = 1'000'000'000;

void require_count(std::int64_t n, const Command& command) {
  if (n == 0)
    throw command.refused(Code::E0106_bad_argument, "the number of iterations to peel is 0",
                          "give 1 or more for the first ones, -1 or less for the last ones");
  if (n > most_iterations || n < -most_iterations)
    throw command.refused(Code::E0106_bad_argument,
                          fmt::format("the number of iterations, {}, is too large", n),
                          "stay between -10^9 and 10^9");
}

// The path in "complete" of the loop at "path" in "mapping", which has no initial values.
Path path_in(const Mapping& complete, const Mapping& mapping, const Path& path) {
  for (const Placed& placed : branches(mapping)) {
    if (!is_inside(placed.path, path)) continue;
    const auto same = branches_of(mapping, placed.branch->definition);
    std::size_t number = 0;
    while (same[number].path != placed.path) ++number;
    return prefix(branches_of(complete, placed.branch->definition)[number].path, path.size());
  }
  return path;
}

// { [t0, .., tp] : a branch in the loop at "path" runs then }
isl::set iterations_of(const Program& program, const Path& path) {
  const Mapping complete = complete_mapping(program);
  const Path loop = path_in(complete, program.mapping, path);
  isl::set all;
  for (const Placed& placed : branches(complete)) {
    if (!is_inside(placed.path, loop)) continue;
    const auto depth = unsigned(placed.loops.size()), levels = unsigned(path.size());
    isl_set* times = executions(*placed.branch).range().release();
    times = isl_set_project_out(times, isl_dim_set, levels, depth - levels);
    all = all.is_null() ? isl::manage(times) : all.unite(isl::manage(times));
  }
  return explicit_quotients(coalesced(all.intersect_params(program.algorithm->context)));
}

// { [x] -> [y] : y < x + n }, or y > x + n for n < 0
isl::map near_extreme(isl::ctx ctx, std::int64_t n) {
  const auto t = band_iterators(ctx, 2);
  const isl::aff border = t.at(0).add_constant(isl::val(ctx, long(n)));
  const isl::set pairs = n > 0 ? t.at(1).lt_set(border) : t.at(1).gt_set(border);
  return isl::manage(
      isl_map_move_dims(isl_map_from_range(pairs.copy()), isl_dim_in, 0, isl_dim_out, 0, 1));
}

// { [pre, t] : t < m(pre) + n } or, for n < 0, { [pre, t] : t > M(pre) + n }, for the first and
// last iterations m and M. For a "pre" without iterations, the result is arbitrary.
isl::set near_border(const isl::set& iterations, std::int64_t n) {
  const unsigned outer = iterations.tuple_dim() - 1;
  isl_map* steps = isl_map_from_range(iterations.copy());
  steps = isl_map_move_dims(steps, isl_dim_in, 0, isl_dim_out, 0, outer);
  const isl::map extreme = isl::manage(costlier(parametric_programming, [&] {
    return n > 0 ? isl_map_lexmin(steps) : isl_map_lexmax(steps);
  }));
  const isl::map near =
      extreme.apply_range(near_extreme(iterations.ctx(), n)).gist_domain(extreme.domain());
  const isl::set pairs = isl::manage(isl_set_flatten(isl_map_wrap(near.copy())));
  return explicit_quotients(coalesced(pairs));
}

void require_border(const isl::set& iterations, std::int64_t n, const LoopRef& loop,
                    const Command& command) {
  const unsigned level = iterations.tuple_dim() - 1;
  const auto bounded = n > 0 ? isl_set_dim_has_lower_bound : isl_set_dim_has_upper_bound;
  if (bounded(iterations.get(), isl_dim_set, level) == isl_bool_true) return;
  throw command.refused(
      Code::E0106_bad_argument,
      fmt::format("loop {} has no {} iteration", loop.loop, n > 0 ? "first" : "last"),
      "give the domain a bound");
}

// Is this a reduction whose outer "levels" iterators are functions of the result?
bool runs_whole_results(const Placed& placed, const Algorithm& algorithm, std::size_t levels) {
  const Definition& d = *algorithm.find(placed.branch->definition);
  if (!d.reduction) return false;
  const auto results = result_levels(d, placed);
  return std::all_of(results.begin(), results.begin() + long(levels), [](bool is) { return is; });
}

// The branch restricted to executions with outer iterators in "chosen". With "results" its times
// are restricted, too, so that a result without contributions has a time in one part only.
Branch restricted(const Branch& branch, const isl::set& chosen, bool results) {
  const unsigned levels = chosen.tuple_dim(), depth = isl::map(branch.time).range_tuple_dim();
  const isl::set times = isl::manage(isl_set_add_dims(chosen.copy(), isl_dim_set, depth - levels));
  Branch part = branch;
  const isl::set runs = executions(branch).intersect_range(times).domain();
  part.instances = InstanceSet::from(explicit_quotients(coalesced(runs)));
  if (results || !executions(part).range().is_subset(times))
    part.time =
        TimeMap::from(explicit_quotients(coalesced(isl::map(branch.time).intersect_range(times))));
  return part;
}

// Restricts all branches in the loop at "path" to iterations in "chosen".
void restrict_loop(Program& program, const Path& path, const isl::set& chosen) {
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, path)) continue;
    const bool results = runs_whole_results(placed, *program.algorithm, path.size());
    const Branch part = restricted(*placed.branch, chosen, results);
    node_at(program.mapping, placed.path).branch() = part;
  }
}

// Names the branches under "node", with names that "before" does not have.
void name_branches(Node& node, const std::string& name, const Mapping& before) {
  std::map<std::string, std::set<std::string>> taken;
  for_each_branch(node, [&](Branch& branch) {
    auto& names =
        taken.try_emplace(branch.definition, pieces_of(before, branch.definition)).first->second;
    branch.piece = free_name(name, names);
    names.insert(branch.piece);
  });
}

void require_free_piece(const Program& program, const Path& path, const std::string& piece,
                        const Command& command) {
  require_identifier(piece, "a piece", command);
  for (const std::string& owner : owners(node_at(program.mapping, path)))
    if (pieces_of(program.mapping, owner).count(piece))
      throw command.refused(Code::E0104_name_taken,
                            fmt::format("{} has a piece {} already", owner, piece),
                            "choose another name");
}

}  // namespace

Program peel(const Program& program, const LoopRef& loop, std::int64_t n, const std::string& piece,
             Given given) {
  Command command{"peel",
                  {loop, n},
                  given,
                  "peeling " + loop.loop + " would run a reader before the value it reads"};
  if (!piece.empty()) command.operands.push_back(piece);
  require_count(n, command);
  Program result = program;
  const Path path = loop_named(result, loop, command);
  for (std::size_t levels = 1; levels <= path.size(); ++levels)
    require_known_tiles(result, prefix(path, levels), 1, "peeled", command);
  if (!piece.empty()) require_free_piece(result, path, piece, command);
  const std::string wanted = !piece.empty() ? piece : n > 0 ? "head" : "tail";
  const auto names = new_names(result, path, {{"", loop.loop + "_" + wanted}}, {}, command);
  const isl::set iterations = iterations_of(result, path);
  require_border(iterations, n, loop, command);
  const isl::set near = near_border(iterations, n);

  Path rest = path, split = path;
  (n > 0 ? rest : split).back() += 1;
  auto& siblings = siblings_at(result.mapping, path);
  Node copy = siblings[std::size_t(path.back())];
  copy.loop().name = names[0];
  siblings.insert(siblings.begin() + split.back(), std::move(copy));
  restrict_loop(result, split, near);
  restrict_loop(result, rest, near.space().universe_set().subtract(near));
  name_branches(node_at(result.mapping, split), wanted, program.mapping);
  for_each_branch(node_at(result.mapping, rest), [&](Branch& branch) {
    if (branch.piece.empty()) branch.piece = free_name("rest", {wanted});
  });

  return verified(program, std::move(result), command);
}

}  // namespace strata
