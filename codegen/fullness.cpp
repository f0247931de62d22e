#include "codegen/fullness.h"

#include <isl/map.h>
#include <isl/set.h>

namespace strata {

namespace {

// Is there a largest d with [pi, t] and [pi, t + d] possible, and is it positive?
bool is_tile(const isl::set& possible) {
  const int depth = int(possible.tuple_dim()) - 1;
  isl_map* pairs = isl_map_from_domain_and_range(possible.copy(), possible.copy());
  for (int p = 0; p < depth; ++p) pairs = isl_map_equate(pairs, isl_dim_in, p, isl_dim_out, p);
  const isl::val largest = isl::manage(pairs).deltas().dim_max_val(depth);
  return largest.is_int() && largest.is_pos();
}

// What "set" says beyond "context", shorter.
isl::set beyond(const isl::set& set, const isl::set& context) {
  return set.gist(context).coalesce();
}

class CutTiles {
 public:
  explicit CutTiles(const TimeSpace& space) : space_(space) {}

  void add(const Nest& nest) {
    if (!nest.loop) return;
    for (const Nest& inner : nest.body) add(inner);
    isl::set possible = isl::set::empty(nest.times.space());
    for_each_leaf(nest, [&](const Nest& leaf) {
      possible = possible.unite(possible_iterations(nest, leaf));
    });
    if (is_tile(possible.coalesce())) found.emplace(nest.id, cut(nest));
  }

  std::map<int, isl::set> found;

 private:
  isl::set possible_iterations(const Nest& nest, const Nest& leaf) const {
    return prefixes(space_.branches[leaf.branch].possible, nest.depth + 1);
  }

  isl::set cut(const Nest& nest) const {
    isl::set result = isl::set::empty(prefixes(nest.times, nest.depth).space());
    for_each_leaf(nest, [&](const Nest& leaf) {
      const isl::set runs = prefixes(leaf.times, nest.depth + 1);
      const isl::set outside = prefixes(runs, nest.depth);
      const isl::set missing = prefixes(possible_iterations(nest, leaf).subtract(runs), nest.depth);
      if (!missing.is_disjoint(outside)) result = result.unite(beyond(missing, outside));
    });
    return result.coalesce();
  }

  const TimeSpace& space_;
};

bool wants(Wanted wanted, Processor processor) {
  switch (wanted) {
    case Wanted::all:
      return true;
    case Wanted::lanes_and_unrolled:
      return processor == Processor::vector || processor == Processor::unrolled;
    case Wanted::lanes:
      return processor == Processor::vector;
    case Wanted::none:
      break;
  }
  return false;
}

class Decisions {
 public:
  Decisions(const std::map<int, isl::set>& cut_tiles, Wanted wanted)
      : cut_tiles_(cut_tiles), wanted_(wanted) {}

  // What the loops outside must decide: sets of prefixes [t0, .., t(p-1)], p the depth of "nest".
  std::vector<isl::set> undecided(const Nest& nest) {
    if (!nest.loop) return {};
    const auto tile = cut_tiles_.find(nest.id);
    const bool wanted = tile != cut_tiles_.end() && wants(wanted_, nest.loop->processor);
    const bool handed_on = wanted || nest.loop->processor == Processor::vector;
    std::vector<isl::set> outside;
    for (const Nest& inner : nest.body)
      for (const isl::set& cut : undecided(inner))
        consider(nest, handed_on, prefixes(inner.times, nest.depth + 1), cut, outside);
    if (wanted && !tile->second.is_empty()) outside.push_back(tile->second);
    if (handed_on || (wanted_ == Wanted::all && is_innermost(nest)))
      for (const Nest& inner : nest.body) {
        const isl::set runs = prefixes(inner.times, nest.depth + 1);
        consider(nest, handed_on, nest.times, nest.times.subtract(runs).coalesce(), outside);
      }
    return outside;
  }

  std::map<int, isl::set> regions;

 private:
  static bool is_innermost(const Nest& nest) {
    for (const Nest& inner : nest.body)
      if (inner.loop) return false;
    return nest.loop->processor == Processor::sequential;
  }

  // "cut", out of the iterations "runs" of the loop "nest" = { [t0, .., tp] }.
  void consider(const Nest& nest, bool handed_on, const isl::set& runs, const isl::set& cut,
                std::vector<isl::set>& outside) {
    const isl::set here = runs.intersect(cut);
    const isl::set full = runs.subtract(cut);
    if (here.is_empty() || full.is_empty()) return;
    const isl::set prefix = prefixes(here, nest.depth).coalesce();
    if (handed_on || prefix.is_disjoint(prefixes(full, nest.depth)))
      outside.push_back(beyond(prefix, prefixes(runs, nest.depth)));
    else
      decide(nest, cut);
  }

  void decide(const Nest& nest, const isl::set& cut) {
    const auto known = regions.find(nest.id);
    const isl::set before = known == regions.end() ? nest.times : known->second;
    const isl::set full = before.subtract(cut).coalesce();
    if (!full.is_empty()) regions.insert_or_assign(nest.id, full);
  }

  const std::map<int, isl::set>& cut_tiles_;
  Wanted wanted_;
};

}  // namespace

std::map<int, isl::set> cut_tiles(const std::vector<Nest>& nests, const TimeSpace& space) {
  CutTiles tiles(space);
  for (const Nest& nest : nests) tiles.add(nest);
  return tiles.found;
}

std::map<int, isl::set> full_regions(const Nest& nest, const std::map<int, isl::set>& cut_tiles,
                                     Wanted wanted) {
  Decisions decisions(cut_tiles, wanted);
  if (wanted != Wanted::none) decisions.undecided(nest);
  return decisions.regions;
}

}  // namespace strata
