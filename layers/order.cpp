#include "layers/order.h"

#include <isl/map.h>
#include <isl/space.h>

namespace strata {

namespace {

using Relate = isl_map* (*)(isl_map*, isl_dim_type, int, isl_dim_type, int);

// Relations { [t'0, ..] -> [t0, ..] } between the iterators of two branches.
class Levels {
 public:
  Levels(const Placed& first, const Placed& second) {
    isl_space* space =
        isl_space_alloc(first.branch->time.ctx().get(), 0, unsigned(first.loops.size()),
                        unsigned(second.loops.size()));
    all_ = isl::manage(isl_map_universe(space));
  }
  const isl::map& all() const { return all_; }
  isl::map none() const { return isl::map::empty(all_.space()); }
  isl::map equal(int p) const { return related(isl_map_equate, p); }
  isl::map less(int p) const { return related(isl_map_order_lt, p); }
  isl::map greater(int p) const { return related(isl_map_order_gt, p); }
  isl::map less_or_equal(int p) const { return related(isl_map_order_le, p); }

 private:
  isl::map related(Relate relate, int p) const {
    return isl::manage(relate(all_.copy(), isl_dim_in, p, isl_dim_out, p));
  }
  isl::map all_;
};

bool same_branch(const Placed& a, const Placed& b) { return a.path == b.path; }

}  // namespace

int shared_loops(const Placed& a, const Placed& b) {
  int shared = 0;
  while (shared < int(a.loops.size()) && shared < int(b.loops.size()) &&
         a.path[shared] == b.path[shared])
    ++shared;
  return shared;
}

isl::map not_before(const Placed& first, const Placed& second) {
  const Levels levels(first, second);
  isl::map inside = first.path < second.path ? levels.none() : levels.all();
  for (int p = shared_loops(first, second) - 1; p >= 0; --p) {
    switch (first.loops[p]->processor) {
      case Processor::parallel:
        inside = levels.less(p).unite(levels.greater(p)).unite(levels.equal(p).intersect(inside));
        break;
      case Processor::vector:
        inside = levels.greater(p).unite(levels.less_or_equal(p).intersect(inside));
        break;
      default:
        inside = levels.greater(p).unite(levels.equal(p).intersect(inside));
    }
  }
  return inside;
}

isl::map concurrent(const Placed& a, const Placed& b) {
  const Levels levels(a, b);
  isl::map inside = levels.none();
  for (int p = shared_loops(a, b) - 1; p >= 0; --p) {
    const Processor processor = a.loops[p]->processor;
    if (processor == Processor::vector) continue;
    inside = levels.equal(p).intersect(inside);
    if (processor == Processor::parallel)
      inside = inside.unite(levels.less(p)).unite(levels.greater(p));
  }
  return inside;
}

isl::map lower_lane(const Placed& a, const Placed& b) {
  const Levels levels(a, b);
  if (!same_branch(a, b)) return levels.none();
  isl::map lanes = levels.all();
  isl::map differ = levels.none();
  for (int p = 0; p < int(a.loops.size()); ++p) {
    const bool vector = a.loops[p]->processor == Processor::vector;
    lanes = lanes.intersect(vector ? levels.less_or_equal(p) : levels.equal(p));
    if (vector) differ = differ.unite(levels.less(p));
  }
  return lanes.intersect(differ);
}

isl::map pairs_ordered(const isl::map& pairs, const Placed& x, const isl::map& order,
                       const Placed& y) {
  isl::map time_x = x.branch->time.intersect_domain(x.branch->instances);
  isl::map time_y = y.branch->time.intersect_domain(y.branch->instances);
  return pairs.intersect(time_x.apply_range(order).apply_range(time_y.reverse()));
}

}  // namespace strata
