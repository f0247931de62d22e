#include "layers/flow/order.h"

#include <isl/map.h>
#include <isl/space.h>

#include <algorithm>

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

// The number of leading shared loops down to the innermost parallel one.
std::size_t parallel_loops(const RelativePosition& s) {
  std::size_t count = s.shared.size();
  while (count > 0 && !is_concurrent(s.shared[count - 1].processor)) --count;
  return count;
}

// The number of leading shared loops that decide whether executions are unordered: down to the
// innermost parallel one. If there are vector loops, it is all of them, since the order of a vector
// loop depends on the loops inside.
std::size_t deciding_loops(const RelativePosition& s) {
  const bool lanes = std::any_of(s.shared.begin(), s.shared.end(),
                                 [](const LoopHead& loop) { return has_lanes(loop.processor); });
  return lanes ? s.shared.size() : parallel_loops(s);
}

// Pairs t', t that may be in one iteration of the loop. Any two may be in one tile of a parametric
// size.
isl::map same_iteration(const Levels& levels, int p, const LoopHead& loop) {
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

RelativePosition relative_position(const Placed& a, const Placed& b) {
  RelativePosition result{a.path <=> b.path};
  for (int p = 0; p < shared_loops(a, b); ++p)
    result.shared.push_back(name_and_tags(*a.loops[std::size_t(p)]));
  return result;
}

bool operator==(const RelativePosition& a, const RelativePosition& b) {
  return a.side == b.side &&
         std::equal(a.shared.begin(), a.shared.end(), b.shared.begin(), b.shared.end(), same_order);
}

namespace {

// One level of not_before, given the relation inside it.
isl::map not_before_at(const Levels& levels, int p, const LoopHead& loop, const isl::map& inside) {
  if (is_concurrent(loop.processor))
    return levels.different(p).unite(levels.equal(p).intersect(inside));
  const bool together = has_lanes(loop.processor) || loop.tile_size;
  return levels.greater(p).unite(
      (together ? levels.less_or_equal(p) : levels.equal(p)).intersect(inside));
}

// not_before, where "later" says whether it holds inside all shared loops.
isl::map not_before_given(isl::ctx ctx, const RelativePosition& s, bool later) {
  const Levels levels(ctx, int(s.shared.size()));
  isl::map inside = later ? levels.all() : levels.none();
  for (int p = int(s.shared.size()) - 1; p >= 0; --p)
    inside = not_before_at(levels, p, s.shared[std::size_t(p)], inside);
  return inside;
}

}  // namespace

isl::map not_before(isl::ctx ctx, const RelativePosition& s) {
  return not_before_given(ctx, s, s.side >= 0);
}

isl::map not_before_other(isl::ctx ctx, const RelativePosition& s) {
  return not_before_given(ctx, s, s.side > 0);
}

isl::map unordered(isl::ctx ctx, const RelativePosition& s) {
  const std::size_t count = deciding_loops(s);
  const Levels levels(ctx, int(count));
  // By the levels inside: forward = { t' -> t : not t' B t }, backward = { t -> t' : not t B t' },
  // and neither, where both hold.
  isl::map forward = s.side < 0 ? levels.none() : levels.all();
  isl::map backward = s.side > 0 ? levels.none() : levels.all();
  isl::map neither = levels.none();
  for (int p = int(count) - 1; p >= 0; --p) {
    const LoopHead& loop = s.shared[std::size_t(p)];
    const Processor processor = loop.processor;
    neither = same_iteration(levels, p, loop).intersect(neither);
    if (is_concurrent(processor)) neither = neither.unite(levels.different(p));
    if (has_lanes(processor))
      neither = neither.unite(levels.less(p).intersect(forward))
                    .unite(levels.greater(p).intersect(backward.reverse()));
    forward = not_before_at(levels, p, loop, forward);
    backward = not_before_at(levels, p, loop, backward);
  }
  return neither;
}

isl::map concurrent(isl::ctx ctx, const RelativePosition& s) {
  const std::size_t count = parallel_loops(s);
  const Levels levels(ctx, int(count));
  isl::map inside = levels.none();
  for (int p = int(count) - 1; p >= 0; --p) {
    const LoopHead& loop = s.shared[std::size_t(p)];
    const Processor processor = loop.processor;
    if (has_lanes(processor)) continue;
    inside = same_iteration(levels, p, loop).intersect(inside);
    if (is_concurrent(processor)) inside = inside.unite(levels.different(p));
  }
  return inside;
}

isl::map lower_lane(isl::ctx ctx, const RelativePosition& s) {
  const Levels levels(ctx, int(s.shared.size()));
  if (s.side != 0) return levels.none();
  isl::map lanes = levels.all();
  isl::map differ = levels.none();
  for (int p = 0; p < int(s.shared.size()); ++p) {
    const LoopHead& loop = s.shared[std::size_t(p)];
    const bool vector = has_lanes(loop.processor);
    lanes = lanes.intersect(vector ? levels.less_or_equal(p) : same_iteration(levels, p, loop));
    if (vector) differ = differ.unite(levels.less(p));
  }
  return lanes.intersect(differ);
}

isl::map same_instruction(isl::ctx ctx, const RelativePosition& s) {
  const Levels levels(ctx, int(s.shared.size()));
  if (s.side != 0) return levels.none();
  isl::map together = levels.all();
  isl::map first = levels.none();
  for (int p = int(s.shared.size()) - 1; p >= 0; --p) {
    const LoopHead& loop = s.shared[std::size_t(p)];
    const isl::map same = same_iteration(levels, p, loop);
    first = same.intersect(first);
    if (has_lanes(loop.processor))
      first = first.unite(levels.less(p).intersect(together));
    else
      together = same.intersect(together);
  }
  return first;
}

isl::map not_before(const Placed& a, const Placed& b) {
  return not_before(a.branch->time.ctx(), relative_position(a, b));
}

isl::map not_before_other(const Placed& a, const Placed& b) {
  return not_before_other(a.branch->time.ctx(), relative_position(a, b));
}

isl::map unordered(const Placed& a, const Placed& b) {
  return unordered(a.branch->time.ctx(), relative_position(a, b));
}

isl::map concurrent(const Placed& a, const Placed& b) {
  return concurrent(a.branch->time.ctx(), relative_position(a, b));
}

isl::map lower_lane(const Placed& a, const Placed& b) {
  return lower_lane(a.branch->time.ctx(), relative_position(a, b));
}

isl::map same_instruction(const Placed& a, const Placed& b) {
  return same_instruction(a.branch->time.ctx(), relative_position(a, b));
}

isl::map leading_levels(const isl::map& time, unsigned levels) {
  const unsigned inner = time.range_tuple_dim() - levels;
  return isl::manage(isl_map_project_out(time.copy(), isl_dim_out, levels, inner));
}

namespace {

// The pairs of an instance that x runs and one that y runs.
isl::map pairs_run(const isl::map& pairs, const Placed& x, const Placed& y) {
  return pairs.intersect_domain(x.branch->instances).intersect_range(y.branch->instances);
}

}  // namespace

isl::map leading_time(const Placed& placed, unsigned levels) {
  return leading_levels(executions(*placed.branch), levels);
}

// Sets of instances are unions, times are usually single functions. So the instances restrict the
// pairs, and the times are not restricted.
isl::map pairs_ordered(const isl::map& pairs, const Placed& x, const isl::map& order,
                       const Placed& y) {
  if (order.is_empty()) return isl::map::empty(pairs.space());
  const unsigned levels = order.domain_tuple_dim();
  const isl::map all = leading_levels(x.branch->time, levels)
                           .apply_range(order)
                           .apply_range(leading_levels(y.branch->time, levels).reverse());
  return pairs_run(pairs.intersect(all), x, y);
}

isl::map leading_times(const isl::map& pairs, const Placed& x, const Placed& y, unsigned levels) {
  return leading_levels(x.branch->time, levels)
      .reverse()
      .apply_range(pairs_run(pairs, x, y))
      .apply_range(leading_levels(y.branch->time, levels));
}

isl::map leading_order(const isl::map& order, unsigned levels) {
  const unsigned inner = order.domain_tuple_dim() - levels;
  isl_map* leading = isl_map_project_out(order.copy(), isl_dim_in, levels, inner);
  return isl::manage(isl_map_project_out(leading, isl_dim_out, levels, inner));
}

}  // namespace strata
