#include "layers/order.h"

#include <isl/map.h>
#include <isl/space.h>

#include "core/announced_work.h"

namespace strata {

namespace {

using Relate = isl_map* (*)(isl_map*, isl_dim_type, int, isl_dim_type, int);

// Relations { [t'0, ..] -> [t0, ..] } between the iterators of "count" shared loops.
class Levels {
 public:
  Levels(isl::ctx ctx, int count)
      : all_(isl::manage(
            isl_map_universe(isl_space_alloc(ctx.get(), 0, unsigned(count), unsigned(count))))) {}
  const isl::map& all() const { return all_; }
  isl::map none() const { return isl::map::empty(all_.space()); }
  isl::map equal(int p) const { return related(isl_map_equate, p); }
  isl::map less(int p) const { return related(isl_map_order_lt, p); }
  isl::map greater(int p) const { return related(isl_map_order_gt, p); }
  isl::map less_or_equal(int p) const { return related(isl_map_order_le, p); }
  isl::map different(int p) const { return less(p).unite(greater(p)); }

 private:
  isl::map related(Relate relate, int p) const {
    return isl::manage(relate(all_.copy(), isl_dim_in, p, isl_dim_out, p));
  }
  isl::map all_;
};

Levels shared_levels(const Placed& a, const Placed& b) {
  return Levels(a.branch->time.ctx(), shared_loops(a, b));
}

// How many leading shared loops there are down to the innermost parallel one.
int parallel_loops(const Placed& a, const Placed& b) {
  int count = shared_loops(a, b);
  while (count > 0 && !has_threads(a.loops[count - 1]->processor)) --count;
  return count;
}

// How many leading shared loops decide whether executions are unordered: down to the innermost
// parallel one, but all where lanes run in lockstep, whose order follows the loops inside.
int deciding_loops(const Placed& a, const Placed& b) {
  for (int p = 0; p < shared_loops(a, b); ++p)
    if (has_lanes(a.loops[p]->processor)) return shared_loops(a, b);
  return parallel_loops(a, b);
}

bool same_branch(const Placed& a, const Placed& b) { return a.path == b.path; }

// May t' and t be in one iteration of the loop?  Of tiles whose size is not known, any two.
isl::map same_iteration(const Levels& levels, int p, const Loop& loop) {
  return loop.tile_size ? levels.all() : levels.equal(p);
}

}  // namespace

int shared_loops(const Placed& a, const Placed& b) {
  int shared = 0;
  while (shared < int(a.loops.size()) && shared < int(b.loops.size()) &&
         a.path[shared] == b.path[shared])
    ++shared;
  return shared;
}

namespace {

// One level of not_before, given what holds inside it.
isl::map not_before_at(const Levels& levels, int p, const Loop& loop, const isl::map& inside) {
  if (has_threads(loop.processor))
    return levels.different(p).unite(levels.equal(p).intersect(inside));
  const bool together = has_lanes(loop.processor) || loop.tile_size;
  return levels.greater(p).unite(
      (together ? levels.less_or_equal(p) : levels.equal(p)).intersect(inside));
}

isl::map not_before_given(const Levels& levels, const Placed& first, const Placed& second,
                          isl::map inside) {
  for (int p = shared_loops(first, second) - 1; p >= 0; --p)
    inside = not_before_at(levels, p, *first.loops[p], inside);
  return inside;
}

}  // namespace

isl::map not_before(const Placed& first, const Placed& second) {
  const Levels levels = shared_levels(first, second);
  return not_before_given(levels, first, second,
                          first.path < second.path ? levels.none() : levels.all());
}

isl::map not_before_other(const Placed& first, const Placed& second) {
  const Levels levels = shared_levels(first, second);
  return not_before_given(levels, first, second,
                          first.path <= second.path ? levels.none() : levels.all());
}

isl::map unordered(const Placed& a, const Placed& b) {
  const int count = deciding_loops(a, b);
  const Levels levels(a.branch->time.ctx(), count);
  // What the levels inside leave of "not t' B t", and of "neither".
  isl::map forward = a.path < b.path ? levels.none() : levels.all();
  isl::map backward = b.path < a.path ? levels.none() : levels.all();
  isl::map neither = levels.none();
  for (int p = count - 1; p >= 0; --p) {
    const Processor processor = a.loops[p]->processor;
    neither = same_iteration(levels, p, *a.loops[p]).intersect(neither);
    if (has_threads(processor)) neither = neither.unite(levels.different(p));
    if (has_lanes(processor))
      neither = neither.unite(levels.less(p).intersect(forward))
                    .unite(levels.greater(p).intersect(backward.reverse()));
    forward = not_before_at(levels, p, *a.loops[p], forward);
    backward = not_before_at(levels, p, *a.loops[p], backward);
  }
  return neither;
}

isl::map concurrent(const Placed& a, const Placed& b) {
  const int count = parallel_loops(a, b);
  const Levels levels(a.branch->time.ctx(), count);
  isl::map inside = levels.none();
  for (int p = count - 1; p >= 0; --p) {
    const Processor processor = a.loops[p]->processor;
    if (has_lanes(processor)) continue;
    inside = same_iteration(levels, p, *a.loops[p]).intersect(inside);
    if (has_threads(processor)) inside = inside.unite(levels.different(p));
  }
  return inside;
}

isl::map lower_lane(const Placed& a, const Placed& b) {
  const Levels levels = shared_levels(a, b);
  if (!same_branch(a, b)) return levels.none();
  isl::map lanes = levels.all();
  isl::map differ = levels.none();
  for (int p = 0; p < int(a.loops.size()); ++p) {
    const bool vector = has_lanes(a.loops[p]->processor);
    lanes = lanes.intersect(vector ? levels.less_or_equal(p)
                                   : same_iteration(levels, p, *a.loops[p]));
    if (vector) differ = differ.unite(levels.less(p));
  }
  return lanes.intersect(differ);
}

isl::map same_instruction(const Placed& a, const Placed& b) {
  const Levels levels = shared_levels(a, b);
  if (!same_branch(a, b)) return levels.none();
  isl::map together = levels.all();
  isl::map first = levels.none();
  for (int p = int(a.loops.size()) - 1; p >= 0; --p) {
    const isl::map same = same_iteration(levels, p, *a.loops[p]);
    first = same.intersect(first);
    if (has_lanes(a.loops[p]->processor))
      first = first.unite(levels.less(p).intersect(together));
    else
      together = same.intersect(together);
  }
  return first;
}

namespace {

// { S[i] -> [t0, .., t(levels-1)] }, of S[i] that the branch does not run, too.
isl::map leading_levels(const isl::map& time, unsigned levels) {
  const unsigned inner = time.range_tuple_dim() - levels;
  return isl::manage(isl_map_project_out(time.copy(), isl_dim_out, levels, inner));
}

// The pairs of instances of which both branches run their own.
isl::map pairs_run(const isl::map& pairs, const Placed& x, const Placed& y) {
  return pairs.intersect_domain(x.branch->instances).intersect_range(y.branch->instances);
}

}  // namespace

isl::map leading_time(const Placed& placed, unsigned levels) {
  return leading_levels(executions(*placed.branch), levels);
}

// Instances are unions where times most often are functions, so the pairs, and not the times, are
// cut to them.
isl::map pairs_ordered(const isl::map& pairs, const Placed& x, const isl::map& order,
                       const Placed& y) {
  if (order.is_empty()) return isl::map::empty(pairs.space());
  const unsigned levels = order.domain_tuple_dim();
  const isl::map all = composed(leading_levels(x.branch->time, levels), order,
                                leading_levels(y.branch->time, levels).reverse());
  return pairs_run(pairs.intersect(all), x, y);
}

isl::map leading_times(const isl::map& pairs, const Placed& x, const Placed& y, unsigned levels) {
  return composed(leading_levels(x.branch->time, levels).reverse(), pairs_run(pairs, x, y),
                  leading_levels(y.branch->time, levels));
}

isl::map leading_order(const isl::map& order, unsigned levels) {
  const unsigned inner = order.domain_tuple_dim() - levels;
  isl_map* leading = isl_map_project_out(order.copy(), isl_dim_in, levels, inner);
  return isl::manage(isl_map_project_out(leading, isl_dim_out, levels, inner));
}

}  // namespace strata
