#include "codegen/nests/full_tiles.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <set>

#include "codegen/nests/border_cuts.h"
#include "codegen/nests/fullness.h"
#include "codegen/nests/masking.h"
#include "core/sets/coalesce.h"

namespace strata {

namespace {

// { [pi, t] : some iteration [pi, t'] is in "region", t' later than t (or earlier) }
isl::set beside(const isl::set& region, bool later) {
  const int last = int(region.tuple_dim()) - 1;
  isl_map* other = isl_map_universe(isl_space_map_from_set(region.space().release()));
  for (int p = 0; p < last; ++p) other = isl_map_equate(other, isl_dim_in, p, isl_dim_out, p);
  other = later ? isl_map_order_gt(other, isl_dim_in, last, isl_dim_out, last)
                : isl_map_order_lt(other, isl_dim_in, last, isl_dim_out, last);
  return region.apply(isl::manage(other));
}

// { [pi, t] } without the conditions on pi: { t = 0 : 34 <= W } becomes { t = 0 }.
isl::set wherever(const isl::set& iterations) {
  const unsigned last = iterations.tuple_dim() - 1;
  const isl::set outside = isl::manage(isl_set_eliminate(iterations.copy(), isl_dim_set, last, 1));
  return iterations.gist(outside);
}

// The iterations before and after the full ones; without full ones, all of them are in one.
struct Others {
  isl::set before, after;
  bool in_order;  // nothing is between full iterations
  unsigned pieces() const { return before.n_basic_set() + after.n_basic_set(); }
};

// "tiles": the full tiles, including those at a cut border. Those on the first side are in "before"
// also for parameters without full iterations, so that they are one piece.
Others others(const isl::set& rest, const isl::set& full, const isl::set* tiles) {
  const isl::set before = coalesced(rest.intersect(beside(full, true)));
  const isl::set after = coalesced(rest.intersect(beside(full, false)));
  const bool in_order = before.is_disjoint(after);
  const Others none_is_after{before, coalesced(rest.subtract(before)), in_order};
  const Others none_is_before{coalesced(rest.subtract(after)), after, in_order};
  const Others& fewer =
      none_is_before.pieces() < none_is_after.pieces() ? none_is_before : none_is_after;
  if (!tiles) return fewer;
  const isl::set begin =
      coalesced(rest.intersect(wherever(before)).intersect(*tiles).subtract(after));
  const isl::set end = coalesced(rest.subtract(begin));
  const bool keeps_order = before.is_subset(begin) && begin.is_disjoint(beside(end, false));
  const Others as_with_full{begin, end, in_order && keeps_order};
  return as_with_full.in_order && as_with_full.pieces() <= fewer.pieces() ? as_with_full : fewer;
}

// Copies are distinguished by the times of a level; iterators of parametric tiles are not times.
bool has_parametric_tiles(const Nest& nest) {
  return nest.is_loop() &&
         (nest.loop().tile_size ||
          std::any_of(nest.body().begin(), nest.body().end(), has_parametric_tiles));
}

bool is_in_launch(const Nest& nest) {
  return nest.is_loop() && (is_of_launch(nest.loop().processor) ||
                            std::any_of(nest.body().begin(), nest.body().end(), is_in_launch));
}

bool has_lanes_inside(const Nest& nest) {
  return nest.is_loop() && (has_lanes(nest.loop().processor) ||
                            std::any_of(nest.body().begin(), nest.body().end(), has_lanes_inside));
}

// Does a vector under an unrolled loop compute sums in memory of an iteration's own, and may it be
// masked?
bool has_register_tile(const Nest& nest, const TimeSpace& space, Masks masks) {
  if (!nest.is_loop()) return false;
  if (!is_copied(nest.loop().processor) || !has_lanes_inside(nest))
    return std::any_of(nest.body().begin(), nest.body().end(),
                       [&](const Nest& inner) { return has_register_tile(inner, space, masks); });
  bool found = false;
  for_each_leaf(nest, [&](const Nest& leaf) {
    const TimeBranch& branch = space.branches[leaf.branch()];
    const bool sums = branch.definition->reduction && !updates_in_place(branch);
    found = found || (sums && can_be_masked(branch, masks));
  });
  return found;
}

// Unrolled loops around vectors, and these vectors: "separate" where the author chose nothing.
void separate_register_tiles(Nest& nest, bool unrolled_around) {
  if (!nest.is_loop()) return;
  const bool unrolled = is_copied(nest.loop().processor) && has_lanes_inside(nest);
  const bool vector = has_lanes(nest.loop().processor) && unrolled_around;
  if ((unrolled || vector) && nest.tail() == TailStrategy::automatic)
    nest.tail() = TailStrategy::separate;
  for (Nest& inner : nest.body()) separate_register_tiles(inner, unrolled || unrolled_around);
}

// Did the author choose nothing for a loop that is "separate" here?
bool is_separate_by_default(const Nest& nest) {
  return nest.is_loop() &&
         ((nest.tail() == TailStrategy::separate && nest.loop().tail != nest.tail()) ||
          std::any_of(nest.body().begin(), nest.body().end(), is_separate_by_default));
}

class Separation {
 public:
  Separation(CutTiles cut_tiles, BorderCuts borders, int copies_left, Masks masks)
      : cut_tiles_(std::move(cut_tiles)),
        borders_(std::move(borders)),
        copies_left_(copies_left),
        masks_(masks) {}

  std::vector<Nest> separated(const Nest& nest, Sought sought) {
    if (!nest.is_loop() || has_parametric_tiles(nest)) return {nest};
    const FullRegions first = wanted(nest, sought);
    if (!first.lanes_lost) return separated(nest, first, sought);
    // Full vectors matter more than everything else.
    for (Sought other = next_narrower(sought); other != Sought::none;
         other = next_narrower(other)) {
      const FullRegions found = wanted(nest, other);
      if (!found.lanes_lost) return separated(nest, found, other);
    }
    return separated(nest, first, sought);
  }

 private:
  FullRegions wanted(const Nest& nest, Sought sought) const {
    FullRegions found = full_regions(nest, cut_tiles_, sought);
    if (!is_in_launch(nest)) cut_borders(nest, sought, found);
    return found;
  }

  // Leaves the borders out of the full iterations, where others remain.
  void cut_borders(const Nest& nest, Sought sought, FullRegions& found) const {
    if (!nest.is_loop()) return;
    for (const Nest& inner : nest.body()) cut_borders(inner, sought, found);
    const auto cuts = borders_.find(nest.id());
    if (cuts == borders_.end() || at_border_.count(nest.id())) return;
    const auto known = found.regions.find(nest.id());
    const isl::set tiles = known == found.regions.end() ? nest.times : known->second;
    isl::set interior = tiles;
    for (const BorderCut& cut : cuts->second) {
      const isl::set rest = coalesced(interior.subtract(cut.prefixes));
      if (seeks(sought, cut) && !rest.is_disjoint(nest.times)) interior = rest;
    }
    found.regions.insert_or_assign(nest.id(), interior);
    found.tiles.insert_or_assign(nest.id(), tiles);
  }

  std::vector<Nest> separated(const Nest& nest, const FullRegions& full, Sought sought) {
    if (!nest.is_loop()) return {nest};
    const auto found = full.regions.find(nest.id());
    if (found == full.regions.end()) return {with_separated_body(nest, full, sought)};
    const isl::set rest = coalesced(nest.times.subtract(found->second));
    if (rest.is_empty()) return {with_separated_body(nest, full, sought)};
    if (nest.times.is_disjoint(found->second)) return separated(nest, next_narrower(sought));
    return split(nest, full, sought, found->second, rest);
  }

  Nest with_separated_body(const Nest& nest, const FullRegions& full, Sought sought) {
    Nest result = nest;
    result.body().clear();
    const bool lanes = has_lanes(nest.loop().processor);
    if (lanes) lanes_.push_back(unsigned(nest.depth));
    for (const Nest& inner : nest.body())
      for (Nest& copy : separated(inner, full, sought)) result.body().push_back(std::move(copy));
    if (lanes) lanes_.pop_back();
    return result;
  }

  // Does the region have different iterations for different lanes of a vector loop around?
  bool distinguishes_lanes(const isl::set& region, const isl::set& iterations) const {
    const isl::set conditions = region.gist(iterations);
    return std::any_of(lanes_.begin(), lanes_.end(), [&](unsigned depth) {
      return isl_set_involves_dims(conditions.get(), isl_dim_set, depth, 1) == isl_bool_true;
    });
  }

  std::vector<Nest> split(const Nest& nest, const FullRegions& full, Sought sought,
                          const isl::set& region, const isl::set& rest) {
    if (distinguishes_lanes(region, nest.times) || !can_copy(nest)) return {nest};
    if (nest.loop().processor == Processor::block)
      return {with_guarded_blocks(nest, full, sought, region, rest)};
    const auto known = full.tiles.find(nest.id());
    const isl::set* const tiles = known == full.tiles.end() ? nullptr : &known->second;
    const Others other = others(rest, region, tiles);
    const bool whole = stays_whole(nest) || !other.in_order;
    std::vector<Nest> parts;
    auto take = [&](std::vector<Nest> copies) {
      for (Nest& copy : copies) parts.push_back(std::move(copy));
    };
    auto take_other = [&](const isl::set& others) {
      const bool apart = masks_ == Masks::loads && tiles && is_separate_by_default(nest);
      const isl::set border = apart ? coalesced(others.intersect(*tiles)) : others;
      if (!apart || (!whole && !border.is_equal(others)))
        return take(other_part(nest, others, next_narrower(sought)));
      take(other_part(nest, border, sought));
      take(other_part(nest, coalesced(others.subtract(border)), next_narrower(sought)));
    };
    if (!whole) take_other(other.before);
    for (const Nest& part : restricted({nest}, region))
      parts.push_back(with_separated_body(part, full, sought));
    take_other(whole ? rest : other.after);
    return whole ? std::vector<Nest>{one_loop(nest, parts)} : parts;
  }

  // The copies of each phase stand side by side, since a barrier between two phases is for all
  // blocks.
  Nest with_guarded_blocks(const Nest& nest, const FullRegions& full, Sought sought,
                           const isl::set& region, const isl::set& rest) {
    std::vector<Nest> parts;
    in_launch_ = true;
    for (const Nest& part : restricted({nest}, region))
      parts.push_back(with_separated_body(part, full, sought));
    in_launch_ = false;
    parts.push_back(only_in(nest, rest));
    Nest result = one_loop(nest, parts);
    std::stable_sort(result.body().begin(), result.body().end(),
                     [](const Nest& a, const Nest& b) { return a.node < b.node; });
    return result;
  }

  // The loop with all its guards, whose body runs in "region".
  static Nest only_in(Nest nest, const isl::set& region) {
    for (Nest& inner : nest.body())
      inner.only = inner.only ? coalesced(inner.only->intersect(region)) : region;
    return nest;
  }

  // True for a parallel loop, so that full and partial iterations share the threads, and for an
  // unrolled one with a constant trip count.
  bool stays_whole(const Nest& nest) const {
    const Processor processor = nest.loop().processor;
    if (in_order(processor)) return is_copied(processor) && is_full(nest, cut_tiles_);
    return is_concurrent(processor);
  }

  // "sought": in the copies.
  std::vector<Nest> other_part(const Nest& nest, const isl::set& region, Sought sought) {
    const bool one = region.n_basic_set() > 1 && (in_launch_ || is_cheap_in_one(nest));
    const isl::set around = one ? isl::manage(isl_set_simple_hull(region.copy())) : region;
    std::vector<Nest> result;
    if (in_launch_) {
      for (const Nest& part : restricted({nest}, around))
        result.push_back(one ? only_in(part, region) : part);
      return result;
    }
    const bool inside = !at_border_.insert(nest.id()).second;
    for (const Nest& part : restricted({nest}, around))
      for (Nest& copy : separated(part, sought)) result.push_back(std::move(copy));
    if (!inside) at_border_.erase(nest.id());
    if (!one) return result;
    for (Nest& copy : result) copy = only_in(std::move(copy), region);
    return result;
  }

  // May the pieces of its rest share a copy?
  bool is_cheap_in_one(const Nest& nest) const {
    return lanes_.empty() && traits(nest.loop().processor).stays_loop &&
           nest.loop().allocations.empty() && nest.loop().prefetches.empty() &&
           std::all_of(nest.body().begin(), nest.body().end(),
                       [&](const Nest& inner) { return ends_in_long_loops(inner, false); });
  }

  // Is the innermost loop around each branch, vectors apart, a loop that is not a tile?
  bool ends_in_long_loops(const Nest& nest, bool long_around) const {
    if (!nest.is_loop()) return long_around;
    const Processor processor = nest.loop().processor;
    if (is_copied(processor)) return false;
    const bool is_long = has_lanes(processor) ? long_around : !cut_tiles_.count(nest.id());
    return std::all_of(nest.body().begin(), nest.body().end(),
                       [&](const Nest& inner) { return ends_in_long_loops(inner, is_long); });
  }

  // One loop with the bodies of all "parts"; each of its iterations runs one of them.
  static Nest one_loop(const Nest& nest, std::vector<Nest>& parts) {
    Nest result = nest;
    result.body().clear();
    for (Nest& part : parts)
      for (Nest& inner : part.body()) result.body().push_back(std::move(inner));
    return result;
  }

  bool can_copy(const Nest& nest) {
    int copies = 0;
    for_each_leaf(nest, [&](const Nest&) { ++copies; });
    if (copies > copies_left_) return false;
    copies_left_ -= copies;
    return true;
  }

  CutTiles cut_tiles_;
  BorderCuts borders_;
  int copies_left_;
  const Masks masks_;
  bool in_launch_ = false;       // is it inside the full blocks of a launch?
  std::set<int> at_border_;      // ids of the loops around that run only what is not full
  std::vector<unsigned> lanes_;  // the depths of the vector loops around
};

}  // namespace

std::vector<Nest> with_full_tiles(std::vector<Nest> nests, const TimeSpace& space,
                                  bool borders_apart, Masks masks) {
  for (Nest& nest : nests)
    if (!is_in_launch(nest) && has_register_tile(nest, space, masks))
      separate_register_tiles(nest, false);
  Separation separation(cut_tiles(nests, space),
                        borders_apart ? border_cuts(nests, space) : BorderCuts(),
                        (most_copies - 1) * int(space.branches.size()), masks);
  std::vector<Nest> result;
  for (const Nest& nest : nests)
    for (Nest& copy : separation.separated(nest, Sought::all)) result.push_back(std::move(copy));
  return result;
}

}  // namespace strata
