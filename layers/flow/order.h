// The partial order of executions defined by the forest and the loops' processors.
//
// Each relation is between iterators of the leading loops that two branches share, and of only as
// many of these loops as decide the question. docs/semantics.md, "Time", defines the order.
#pragma once

#include <compare>
#include <vector>

#include "layers/mapping.h"

namespace strata {

// The relative position of two branches: all that the order of their executions depends on, besides
// their times.
struct RelativePosition {
  std::strong_ordering side = std::strong_ordering::equal;  // of the first, seen from the second
  std::vector<LoopHead> shared = {};                        // loops around both, outermost first
};
RelativePosition relative_position(const Placed& a, const Placed& b);
// True if both define the same order.
bool operator==(const RelativePosition& a, const RelativePosition& b);

// The number of loops that two branches share.
int shared_loops(const Placed& a, const Placed& b);

// { t' -> t : not t' B t }. B is decided level by level over the shared loops, from the outside:
//   sequential, unrolled   t'_p < t_p, or equal and B inside
//   parallel, block, thread
//                          equal and B inside
//   vector                 t'_p <= t_p and B inside (equal inside: one vector instruction)
// Inside all of them the static order decides; a branch is not before itself.
//
// A loop over tiles of a parametric size (Loop::tile_size) has the iteration f(t_p). Of f only this
// is known: t' = t => f(t') = f(t), and t' < t => f(t') <= f(t). B is what holds for every such f:
//   sequential             t'_p <= t_p and B inside
//   parallel               t'_p = t_p and B inside
// A pair counts as unordered, concurrent or in one instruction if it is so for some f: any two t_p
// may be in one tile, and different ones may be in different tiles.
isl::map not_before(isl::ctx ctx, const RelativePosition& position);
isl::map not_before(const Placed& first, const Placed& second);

// The same without t = t', and without t in a higher lane of the vector instruction of t'. What
// remains are the t that may run before t', and those in a lower lane of its instruction.
isl::map not_before_other(isl::ctx ctx, const RelativePosition& position);
isl::map not_before_other(const Placed& first, const Placed& second);

// { t' -> t : neither t' B t nor t B t', for two different executions }, over the leading loops
// that decide this. Executions that differ only in sequential loops further in are ordered.
isl::map unordered(isl::ctx ctx, const RelativePosition& position);
isl::map unordered(const Placed& a, const Placed& b);

// { t' -> t : t' and t may run at the same time }, over the leading loops down to the innermost
// concurrent one. Apart from vector levels, the first level where they differ is parallel, block or
// thread. Lanes of a vector loop are not concurrent: see same_instruction.
isl::map concurrent(isl::ctx ctx, const RelativePosition& position);
isl::map concurrent(const Placed& a, const Placed& b);

// { t' -> t : one vector instruction executes both, in different lanes, t in the higher one }: all
// levels equal except vector levels, with t'_p <= t_p on every vector level and < on one. Empty
// for two different branches.
isl::map lower_lane(isl::ctx ctx, const RelativePosition& position);
isl::map lower_lane(const Placed& a, const Placed& b);

// { t' -> t : one vector instruction executes both, t' lexicographically first }. Unlike in
// lower_lane, the lane of t' may be the higher one on further vector levels.
isl::map same_instruction(isl::ctx ctx, const RelativePosition& position);
isl::map same_instruction(const Placed& a, const Placed& b);

// { S[i] -> [t0, .., t(levels-1)] }, from { S[i] -> [t0, .., t(d-1)] }.
isl::map leading_levels(const isl::map& time, unsigned levels);
// The same, restricted to the instances of the branch.
isl::map leading_time(const Placed& placed, unsigned levels);

// The part of "pairs" { X[x] -> Y[y] } whose times are in "order" { t_x -> t_y }, restricted to the
// instances of the two branches. The pairs with such times are
//     time_X . order . time_Y^-1.
isl::map pairs_ordered(const isl::map& pairs, const Placed& x, const isl::map& order,
                       const Placed& y);

// { t_x -> t_y }: the times of pairs { X[x] -> Y[y] } on the "levels" leading loops of each branch,
//     time_X^-1 . pairs . time_Y.
// The iterators of instances are sums of loop iterators, i = 64 i0 + 4 i1 + i2. So on a few leading
// loops this relation is usually simple, even if the relation on instances is not.
isl::map leading_times(const isl::map& pairs, const Placed& x, const Placed& y, unsigned levels);

// The projection of an order to the "levels" leading loops: some executions with these leading
// times are in the order.
isl::map leading_order(const isl::map& order, unsigned levels);

}  // namespace strata
