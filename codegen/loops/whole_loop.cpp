// Loops over tiles of parametric sizes, and loops that run all steps of a tile even if the domain
// boundary cuts it.
#include "codegen/loops/generation.h"
#include "codegen/loops/parametric_tile.h"
#include "codegen/tree/index_math.h"

namespace strata {

// Does the loop run all steps, with a condition around each? If the author chose no border mode
// (layers/border.h), it does inside parametric tiles, which may begin and end anywhere.
bool Generation::has_guards(const Loop& loop, const Place& place) const {
  return (loop.border != Border::automatic || !place.tiles.empty()) &&
         traits(loop.processor).constant_extent;
}

// for tile in lo / T .. hi / T + 1, lo and hi the first and last value of t, 1 <= T: inside,
// max(lo, T tile) <= t <= min(hi, T tile + T - 1).
StmtPtr Generation::tile_loop(const Nest& nest, const isl::set& values, const Place& place) {
  const isl::set some = beyond(without_iterator(values, nest.depth), place.here);
  const Place outside = knowing(place, some);
  const ValueRange range = value_range(values, nest.depth);
  const auto build = isl::ast_build::from_context(outside.here);
  const Expr first = expr(build.expr_from(range.first.gist(outside.here)), outside);
  const Expr last = expr(build.expr_from(range.last.gist(outside.here)), outside);
  const Expr size = parameter(*nest.loop->tile_size);
  For result = new_loop(nest);
  result.lower = first / size;
  result.upper = last / size + 1;
  lanes_.keep_apart(result.lower, nest);
  if (place.in_pieces) lanes_.keep_apart(result.upper, nest);
  const Expr begin = variable(result.variable) * size;
  Place inside = knowing(outside, range.inside);
  inside.values[first_of_tile(nest.depth)] = max(first, begin);
  inside.values[last_of_tile(nest.depth)] = min(last, begin + size - 1);
  inside.tiles.push_back(nest.depth);
  result.body = iteration(nest, inside);
  return under(some, place.here, make_stmt(std::move(result)), nest, place);
}

// for t in lower .. lower + size: if (t runs) body. In a vector loop the conditions go inwards, to
// what the lanes execute.
StmtPtr Generation::whole_loop(const Nest& nest, const isl::set& iterations,
                               const WholeRange& range, const Place& place) {
  isl::set some = beyond(without_iterator(iterations, nest.depth), place.here);
  // A thread has its own condition on each step anyway; whether any holds may cost more than that.
  if (!place.blocks.empty() && some.n_basic_set() > 1) some = isl::set::universe(some.space());
  const Place outside = knowing(place, some);
  For result = new_loop(nest);
  const auto build = isl::ast_build::from_context(outside.here);
  result.lower = expr(build.expr_from(range.lower), outside);
  result.upper = simplified(result.lower + range.size);
  result.extent = range.size;
  lanes_.keep_apart(result.lower, nest);
  Place steps = with_value(outside, iterator_name(nest.depth), variable(result.variable));
  steps.here = outside.here.intersect(range.iterations);
  steps.anyway = outside.anyway.intersect(range.iterations);
  if (has_lanes(result.processor))
    add_lanes(result, nest, iterations, steps);
  else
    result.body = guarded(nest, iterations, steps);
  if (!result.body) return nullptr;
  return under(some, place.here, make_stmt(std::move(result)), nest, place);
}

StmtPtr Generation::guarded(const Nest& nest, const isl::set& iterations, const Place& place) {
  const isl::set runs = beyond(iterations, place.here);
  const StmtPtr all = iteration(nest, knowing(place, runs));
  return under(runs, place.here, all, nest, place);
}

void Generation::add_lanes(For& loop, const Nest& nest, const isl::set& iterations,
                           const Place& place) {
  const bool masked = !place.here.is_subset(iterations);
  Place inside = place;
  inside.here = place.here.intersect(iterations);
  lanes_.enter(nest, loop.variable, masked);
  loop.body = iteration(nest, inside);
  loop.lockstep = lanes_.leave();
}

}  // namespace strata
