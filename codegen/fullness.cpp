#include "codegen/fullness.h"

#include <isl/map.h>
#include <isl/set.h>

namespace strata {

namespace {

// The largest d with [pi, t] and [pi, t + d] possible, plus one: no loop has more iterations.
// Nothing where it has no constant bound.
bool bounded(const isl::set& possible) {
  const int depth = int(possible.tuple_dim()) - 1;
  isl_map* iterations = isl_map_from_domain_and_range(possible.copy(), possible.copy());
  for (int p = 0; p < depth; ++p)
    iterations = isl_map_equate(iterations, isl_dim_in, p, isl_dim_out, p);
  const isl::val most = isl::manage(iterations).deltas().dim_max_val(depth);
  return most.is_int() && most.is_pos();
}

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

class Analysis {
 public:
  Analysis(const TimeSpace& space, Wanted wanted) : space_(space), wanted_(wanted) {}

  // The bad prefixes [t0, .., t(p-1)] that the loops outside must decide, p the depth of "nest".
  std::vector<isl::set> bad_outside(const Nest& nest) {
    if (!nest.loop) return {};
    const isl::set runs = executed(nest);
    const bool tile = is_tile(nest, runs);
    std::vector<isl::set> outside;
    for (const Nest& inner : nest.body) {
      const isl::set inner_runs = inner.loop ? prefixes(executed(inner), nest.depth + 1) : runs;
      for (const isl::set& bad : bad_outside(inner))
        hand_on(nest, tile, inner_runs, bad, outside);
    }
    if (tile) {
      const isl::set bad = cut_off(nest);
      if (!bad.is_empty()) outside.push_back(bad);
    }
    return outside;
  }

  std::map<int, isl::set> regions;

 private:
  bool is_tile(const Nest& nest, const isl::set& runs) const {
    if (!wants(wanted_, nest.loop->processor)) return false;
    isl::set possible = isl::set::empty(runs.space());
    for_each_leaf(nest, [&](const Nest& leaf) {
      possible = possible.unite(prefixes(space_.branches[leaf.branch].possible, nest.depth + 1));
    });
    return bounded(possible);
  }

  // bad_l, over all branches inside.
  isl::set cut_off(const Nest& nest) const {
    isl::set bad;
    for_each_leaf(nest, [&](const Nest& leaf) {
      const isl::set runs = prefixes(leaf.times, nest.depth + 1);
      const isl::set possible =
          prefixes(space_.branches[leaf.branch].possible, nest.depth + 1);
      const isl::set missing = prefixes(possible.subtract(runs), nest.depth);
      const isl::set cut = missing.intersect(prefixes(runs, nest.depth));
      bad = bad.is_null() ? cut : bad.unite(cut);
    });
    return bad.coalesce();
  }

  // Hands "bad" = { [t0, .., tp] }, out of "runs", through the loop "nest" at depth p.
  void hand_on(const Nest& nest, bool tile, const isl::set& runs, const isl::set& bad,
               std::vector<isl::set>& outside) {
    const isl::set good = runs.subtract(bad);
    if (good.is_empty()) return;
    const isl::set bad_prefixes = prefixes(bad, nest.depth).coalesce();
    const bool lanes = nest.loop->processor == Processor::vector;
    if (tile || lanes || bad_prefixes.is_disjoint(prefixes(good, nest.depth)))
      outside.push_back(bad_prefixes);
    else
      decide(nest, bad);
  }

  void decide(const Nest& nest, const isl::set& bad) {
    const auto known = regions.find(nest.id);
    const isl::set before = known == regions.end() ? executed(nest) : known->second;
    const isl::set full = before.subtract(bad).coalesce();
    if (!full.is_empty()) regions.insert_or_assign(nest.id, full);
  }

  const TimeSpace& space_;
  Wanted wanted_;
};

}  // namespace

isl::set executed(const Nest& loop) {
  isl::set result;
  for_each_leaf(loop, [&](const Nest& leaf) {
    const isl::set runs = prefixes(leaf.times, loop.depth + 1);
    result = result.is_null() ? runs : result.unite(runs);
  });
  return result.coalesce();
}

std::map<int, isl::set> full_regions(const Nest& nest, const TimeSpace& space, Wanted wanted) {
  Analysis analysis(space, wanted);
  if (wanted != Wanted::none) analysis.bad_outside(nest);
  return analysis.regions;
}

}  // namespace strata
