#include "codegen/nests/fullness.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "core/sets/coalesce.h"
#include "core/sets/difference.h"

namespace strata {

namespace {

bool is_tile(const isl::set& possible) {
  const isl::val largest = largest_difference(possible);
  return largest.is_int() && largest.is_pos();
}

// For a computation that runs where its readers need it, only what they need is possible, so a tile
// cut by their boundary looks like a short one. If all t are in one interval of constants, which
// the longest tile fills, the tiles are completed:
//     { [pi, t] }  ->  { [pi, t'] : least t <= t' <= largest t, in the strides of t }
isl::set with_whole_tiles(const isl::set& possible) {
  const int depth = int(possible.tuple_dim()) - 1;
  const isl::val least = possible.dim_min_val(depth), largest = possible.dim_max_val(depth);
  if (!least.is_int() || !largest.is_int() || !largest_difference(possible).eq(largest.sub(least)))
    return possible;
  isl_set* whole = isl_set_add_dims(prefixes(possible, depth).release(), isl_dim_set, 1);
  whole = isl_set_intersect(whole, isl::set(possible.affine_hull()).release());
  whole = isl_set_lower_bound_val(whole, isl_dim_set, unsigned(depth), least.copy());
  return isl::manage(isl_set_upper_bound_val(whole, isl_dim_set, unsigned(depth), largest.copy()));
}

// What "set" implies beyond "context", coalesced.
isl::set coalesced_gist(const isl::set& set, const isl::set& context) {
  return coalesced(set.gist(context));
}

class Tiles {
 public:
  explicit Tiles(const TimeSpace& space) : space_(space) {}

  void add(const Nest& nest) {
    if (!nest.is_loop()) return;
    for (const Nest& inner : nest.body()) add(inner);
    isl::set possible = isl::set::empty(nest.times.space());
    for_each_leaf(nest, [&](const Nest& leaf) {
      possible = possible.unite(possible_iterations(nest, leaf));
    });
    if (is_tile(coalesced(possible))) found.emplace(nest.id(), cut(nest));
  }

  CutTiles found;

 private:
  isl::set possible_iterations(const Nest& nest, const Nest& leaf) const {
    const TimeBranch& branch = space_.branches[leaf.branch()];
    const isl::set possible = prefixes(branch.possible, nest.depth + 1);
    return branch.reader_loops > 0 && nest.depth >= branch.reader_loops ? with_whole_tiles(possible)
                                                                        : possible;
  }

  isl::set cut(const Nest& nest) const {
    isl::set result = isl::set::empty(prefixes(nest.times, nest.depth).space());
    for_each_leaf(nest, [&](const Nest& leaf) {
      const isl::set runs = prefixes(leaf.times, nest.depth + 1);
      const isl::set outside = prefixes(runs, nest.depth);
      const isl::set missing = prefixes(without(possible_iterations(nest, leaf), runs), nest.depth);
      if (!missing.is_disjoint(outside)) result = result.unite(coalesced_gist(missing, outside));
    });
    return coalesced(result);
  }

  const TimeSpace& space_;
};

bool seeks(Sought sought, const Nest& nest) {
  if (nest.tail() != TailStrategy::automatic)
    return nest.tail() == TailStrategy::separate && sought == Sought::all;
  const Processor processor = nest.loop().processor;
  switch (sought) {
    case Sought::all: return true;
    case Sought::lanes_and_unrolled: return traits(processor).constant_extent;
    case Sought::lanes: return has_lanes(processor);
    case Sought::none: break;
  }
  return false;
}

// Prefixes { [t0, .., t(p-1)] } under which a tile is partial, to be decided by a loop outside.
// "lanes": the tile is a vector loop that is sought also if fewer loops are. "threads": it is the
// threads of a block, whose guards alone are not worth a copy.
struct Cut {
  isl::set prefixes;
  bool lanes;
  bool threads = false;
};

class Decisions {
 public:
  Decisions(const CutTiles& cut_tiles, Sought sought) : cut_tiles_(cut_tiles), sought_(sought) {}

  // What the loops outside must decide, p the depth of "nest".
  std::vector<Cut> undecided(const Nest& nest) {
    if (!nest.is_loop()) return {};
    const auto tile = cut_tiles_.find(nest.id());
    const Processor processor = nest.loop().processor;
    const bool is_thread = processor == Processor::thread;
    const bool sought = tile != cut_tiles_.end() && seeks(sought_, nest) &&
                        processor != Processor::block && !is_never_full(nest, tile->second);
    const bool lanes = has_lanes(processor);
    const bool handed_on = sought || lanes || is_thread;
    std::vector<Cut> outside;
    if (processor == Processor::block) {
      decide_block(nest);
      return outside;
    }
    for (const Nest& inner : nest.body()) {
      const std::vector<Cut> cuts = undecided(inner);
      if (cuts.empty()) continue;
      const isl::set runs = prefixes(inner.times, nest.depth + 1);
      for (const Cut& cut : cuts) consider(nest, handed_on, runs, cut, outside);
    }
    if (sought && !tile->second.is_empty())
      add(outside, {tile->second, lanes && nest.tail() == TailStrategy::automatic, is_thread});
    if (has_guards(nest)) return outside;
    if (handed_on || (sought_ == Sought::all && is_innermost(nest)))
      for (const Nest& inner : nest.body()) {
        const isl::set runs = prefixes(inner.times, nest.depth + 1);
        consider(nest, handed_on, nest.times,
                 {coalesced(nest.times.subtract(runs)), false, is_thread}, outside);
      }
    return outside;
  }

  FullRegions result;

 private:
  // A tile that is never full counts as an ordinary loop, and may decide the tiles inside it.
  static bool is_never_full(const Nest& nest, const isl::set& cut) {
    return prefixes(nest.times, nest.depth).is_subset(cut);
  }

  // Does the loop keep its guards, so that nothing need be decided for it?
  bool has_guards(const Nest& nest) const {
    return nest.tail() != TailStrategy::automatic &&
           (nest.tail() != TailStrategy::separate || sought_ != Sought::all);
  }

  static bool depends_on(const isl::set& cut, int depth) {
    return isl_set_involves_dims(cut.get(), isl_dim_set, unsigned(depth), 1) != isl_bool_false;
  }

  static bool depends_on_time(const isl::set& cut) {
    const unsigned levels = unsigned(cut.tuple_dim());
    return isl_set_involves_dims(cut.get(), isl_dim_set, 0, levels) != isl_bool_false;
  }

  // Merges equal cuts of several branches.
  static void add(std::vector<Cut>& cuts, const Cut& cut) {
    for (Cut& other : cuts)
      if (isl_set_plain_is_equal(other.prefixes.get(), cut.prefixes.get()) == isl_bool_true) {
        other.lanes |= cut.lanes;
        other.threads &= cut.threads;
        return;
      }
    cuts.push_back(cut);
  }

  static bool is_innermost(const Nest& nest) {
    for (const Nest& inner : nest.body())
      if (inner.is_loop()) return false;
    const Processor processor = nest.loop().processor;
    return in_order(processor) && !is_copied(processor);
  }

  // Decides at a block loop what is left of all cuts inside.
  void decide_block(const Nest& nest) {
    std::vector<Cut> cuts;
    for (const Nest& inner : nest.body())
      for (const Cut& cut : undecided(inner)) add(cuts, cut);
    if (std::any_of(cuts.begin(), cuts.end(), [](const Cut& cut) { return !cut.threads; }))
      for (const Cut& cut : cuts)
        if (depends_on_time(cut.prefixes)) decide(nest, cut);
  }

  static bool is_disjoint_from_full(const isl::set& prefix, const isl::set& runs, const Cut& cut,
                                    int depth) {
    return prefix.is_disjoint(prefixes(runs.subtract(cut.prefixes), depth));
  }

  // Decides "cut" at the loop "nest", or adds it to "outside" for the loops around. "runs" are the
  // iterations { [t0, .., tp] } of "nest" that it is cut from.
  void consider(const Nest& nest, bool handed_on, const isl::set& runs, const Cut& cut,
                std::vector<Cut>& outside) {
    if (!depends_on(cut.prefixes, nest.depth)) {
      add(outside, {prefixes(cut.prefixes, nest.depth), cut.lanes, cut.threads});
      return;
    }
    const isl::set here = runs.intersect(cut.prefixes);
    if (here.is_empty()) return;
    if (runs.is_subset(cut.prefixes)) {
      result.lanes_lost |= cut.lanes;
      return;
    }
    const isl::set prefix = coalesced(prefixes(here, nest.depth));
    if (handed_on || is_disjoint_from_full(prefix, runs, cut, nest.depth))
      add(outside, {coalesced_gist(prefix, prefixes(runs, nest.depth)), cut.lanes, cut.threads});
    else
      decide(nest, cut);
  }

  void decide(const Nest& nest, const Cut& cut) {
    const auto known = result.regions.find(nest.id());
    const isl::set before = known == result.regions.end() ? nest.times : known->second;
    const isl::set full = coalesced(before.subtract(cut.prefixes));
    if (full.is_empty())
      result.lanes_lost |= cut.lanes;
    else
      result.regions.insert_or_assign(nest.id(), full);
  }

  const CutTiles& cut_tiles_;
  Sought sought_;
};

}  // namespace

CutTiles cut_tiles(const std::vector<Nest>& nests, const TimeSpace& space) {
  Tiles tiles(space);
  for (const Nest& nest : nests) tiles.add(nest);
  return tiles.found;
}

bool is_full(const Nest& loop, const CutTiles& cut_tiles) {
  const auto tile = cut_tiles.find(loop.id());
  return tile != cut_tiles.end() && prefixes(loop.times, loop.depth).is_disjoint(tile->second);
}

FullRegions full_regions(const Nest& nest, const CutTiles& cut_tiles, Sought sought) {
  Decisions decisions(cut_tiles, sought);
  if (sought == Sought::none) return {};
  for (const Cut& cut : decisions.undecided(nest)) decisions.result.lanes_lost |= cut.lanes;
  return decisions.result;
}

}  // namespace strata
