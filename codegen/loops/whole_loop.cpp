// Loops over tiles of parametric sizes, and loops that run all steps of a tile even if the domain
// boundary cuts the tile.
#include "codegen/loops/generation.h"
#include "codegen/loops/isl_expr.h"
#include "codegen/loops/parametric_tile.h"
#include "codegen/nests/choices.h"
#include "codegen/nests/masking.h"
#include "codegen/tree/index_math.h"
#include "core/sets/coalesce.h"
#include "core/sets/difference.h"

namespace strata {

// Does each iteration of the loop define elements of its own?
bool Generation::runs_over_results(const Nest& nest) {
  const auto [known, is_new] = over_results_.try_emplace(nest.id(), false);
  bool& found = known->second;
  if (!is_new) return found;
  for_each_leaf(nest, [&](const Nest& leaf) {
    const TimeBranch& branch = space_.branches[leaf.branch()];
    const isl::map elements = branch.instance.as_map()
                                  .intersect_domain(leaf.whole)
                                  .apply_range(branch.definition->defines);
    const isl::map others =
        isl::manage(isl_map_eliminate(elements.copy(), isl_dim_in, unsigned(nest.depth), 1));
    found = found || !is_function(others);
  });
  return found;
}

// Does something inside cost more under masks than lane after lane? An update in place does, and so
// does a gather: at an index that depends on data, or that a condition here chooses, like
// clamp(x + 1, 0, W - 1) at a border.
bool Generation::loses_by_masks(const Nest& nest) const {
  bool found = false;
  for_each_leaf(nest, [&](const Nest& leaf) {
    const TimeBranch& branch = space_.branches[leaf.branch()];
    found = found || updates_in_place(branch) || reads_at_data(branch);
    const auto known = decided(branch.choices, leaf.times);
    for (const Choice& choice : branch.choices) found = found || !known.count(&choice.e.node());
  });
  return found;
}

// Does the loop run all steps, with a condition around each? An unrolled loop over results does in
// a launch, since local memory becomes registers by constant indices only. Apart from that, the
// loop needs a constant extent. Then it does if the author chose a tail strategy
// (layers/tail_strategy.h), inside parametric tiles, which may begin and end anywhere, and on a
// machine with masks if it is a vector that they do not slow down.
bool Generation::has_guards(const Nest& nest, const Position& position) {
  const Processor processor = nest.loop().processor;
  if (!position.blocks.empty() && is_copied(processor) && runs_over_results(nest)) return true;
  if (!traits(processor).constant_extent) return false;
  const bool masked =
      parts_.masks && has_lanes(processor) && position.blocks.empty() && !loses_by_masks(nest);
  return masked || nest.tail() != TailStrategy::automatic || !position.tiles.empty();
}

// for tile in lo / T .. hi / T + 1, where lo and hi are the first and the last value of t, 1 <= T.
// Inside, max(lo, T tile) <= t <= min(hi, T tile + T - 1).
StmtPtr Generation::tile_loop(const Nest& nest, const isl::set& values, const Position& position) {
  const isl::set some = beyond(without_iterator_(values, nest.depth), position.here);
  const Position outside = knowing(position, some);
  const ValueRange range = value_range(values, nest.depth);
  const auto build = isl::ast_build::from_context(outside.here);
  const Expr first = expr(build.expr_from(range.first.gist(outside.here)), outside);
  const Expr last = expr(build.expr_from(range.last.gist(outside.here)), outside);
  const Expr size = parameter(*nest.loop().tile_size);
  For result = new_loop(nest);
  result.lower = first / size;
  result.upper = last / size + 1;
  result.extent = constant_difference(result.upper, result.lower);
  lanes_.keep_apart(result.lower, nest);
  if (position.in_pieces) lanes_.keep_apart(result.upper, nest);
  const Expr begin = variable(result.variable) * size;
  Position inside = knowing(outside, range.inside);
  inside.values[first_of_tile(nest.depth)] = max(first, begin);
  inside.values[last_of_tile(nest.depth)] = min(last, begin + size - 1);
  inside.tiles.push_back(nest.depth);
  result.body = iteration(nest, inside);
  return under(some, position.here, make_stmt(std::move(result)), nest, position);
}

// Where some iteration of the loop runs. In a launch this is a simple condition that may hold
// elsewhere too: each thread asks for each step anyway, and an exact condition may cost more.
isl::set Generation::some_runs(const Nest& nest, const isl::set& iterations,
                               const WholeRange& range, const Position& position) {
  if (position.blocks.empty())
    return beyond(without_iterator_(iterations, nest.depth), position.here);
  const isl::id iterator = make_id(iterations.ctx(), iterator_name(nest.depth));
  const isl::set exact = iterations.intersect(range.iterations).project_out_param(iterator);
  isl_set* around = isl_set_remove_unknown_divs(exact.copy());
  const isl::set some = beyond(coalesced(isl::manage(around)), position.here);
  return some.n_basic_set() > 1 ? isl::set::universe(some.space()) : some;
}

// for t in lower .. lower + size: if (t runs) body. In a vector loop the conditions go inwards, to
// what the lanes execute.
StmtPtr Generation::whole_loop(const Nest& nest, const isl::set& iterations,
                               const WholeRange& range, const Position& position) {
  const isl::set some = some_runs(nest, iterations, range, position);
  const Position outside = knowing(position, some);
  For result = new_loop(nest);
  // Lanes that are switched off run the same iterations, so "lower" must be right for them, too.
  const auto build = isl::ast_build::from_context(outside.anyway);
  result.lower = expr(build.expr_from(range.lower), outside);
  result.upper = simplified(result.lower + range.size);
  result.extent = range.size;
  lanes_.keep_apart(result.lower, nest);
  Position steps = with_value(outside, iterator_name(nest.depth), variable(result.variable));
  steps.here = outside.here.intersect(range.iterations);
  steps.anyway = outside.anyway.intersect(range.iterations);
  if (has_lanes(result.processor))
    add_lanes(result, nest, iterations, steps);
  else
    result.body = guarded(nest, iterations, steps);
  if (!result.body) return nullptr;
  return under(some, position.here, make_stmt(std::move(result)), nest, position);
}

StmtPtr Generation::guarded(const Nest& nest, const isl::set& iterations,
                            const Position& position) {
  const isl::set runs = beyond(iterations, position.here);
  const StmtPtr all = iteration(nest, knowing(position, runs));
  return under(runs, position.here, all, nest, position);
}

void Generation::add_lanes(For& loop, const Nest& nest, const isl::set& iterations,
                           const Position& position) {
  const bool masked = !position.here.is_subset(iterations);
  Position inside = position;
  inside.here = position.here.intersect(iterations);
  lanes_.enter(nest, loop.variable, masked);
  loop.body = iteration(nest, inside);
  loop.lockstep = lanes_.leave();
}

}  // namespace strata
