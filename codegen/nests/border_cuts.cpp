#include "codegen/nests/border_cuts.h"

#include <isl/set.h>

#include <algorithm>
#include <optional>

#include "core/sets/coalesce.h"
#include "core/sets/difference.h"

namespace strata {

namespace {

// The largest number of iterations t that a piece of { [pi, t] } has for one pi; may be infinite.
isl::val longest_run(const isl::set& set) {
  isl::val most = isl::val::zero(set.ctx());
  for (const isl::basic_set& piece : disjuncts(set))
    most = most.max(largest_difference(isl::set(piece)).add(isl::val::one(set.ctx())));
  return most;
}

class BorderFinder {
 public:
  explicit BorderFinder(const TimeSpace& space) : space_(space) {}

  void add(const Nest& nest) {
    if (!nest.is_loop()) return add_leaf(nest);
    around_.push_back(&nest);
    for (const Nest& inner : nest.body()) add(inner);
    around_.pop_back();
  }

  BorderCuts found;

 private:
  void add_leaf(const Nest& leaf) {
    outside_ = std::find_if(around_.begin(), around_.end(),
                            [](const Nest* nest) { return has_lanes(nest->loop().processor); });
    if (outside_ == around_.end()) return;
    for (const Choice& choice : space_.branches[leaf.branch()].choices) add_choice(leaf, choice);
  }

  void add_choice(const Nest& leaf, const Choice& choice) {
    const isl::set first = coalesced(leaf.times.intersect(choice.when));
    const isl::set second = coalesced(leaf.times.subtract(choice.when));
    if (first.is_empty() || second.is_empty()) return;
    const isl::set condition = coalesced(choice.when.gist(leaf.times));
    BorderCut cut{first, false, false};
    for (const Nest* nest : around_) {
      if (!involves(condition, nest->depth)) continue;
      const TailStrategy mode = nest->tail();
      if (mode == TailStrategy::guard || mode == TailStrategy::mask) return;
      cut.separate |= mode == TailStrategy::separate;
      cut.lanes |= has_lanes(nest->loop().processor);
    }
    if (cut.lanes || choice.e.op() == Op::select) decide(leaf, second, first, cut);
  }

  // At the outermost loop that can.
  void decide(const Nest& leaf, const isl::set& second, const isl::set& first, BorderCut& cut) {
    for (auto nest = around_.begin(); nest != outside_; ++nest) {
      const TailStrategy mode = (*nest)->tail();
      if (mode == TailStrategy::guard || mode == TailStrategy::mask) continue;
      if (is_copied((*nest)->loop().processor)) continue;
      for (const isl::set& side : {second, first}) {
        const auto border = border_of(**nest, leaf, side);
        if (!border) continue;
        cut.prefixes = *border;
        return add_cut((*nest)->id(), cut);
      }
    }
  }

  static bool involves(const isl::set& set, int depth) {
    return isl_set_involves_dims(set.get(), isl_dim_set, unsigned(depth), 1) == isl_bool_true;
  }

  // The iterations of "nest" in which some instance is on this side, if they are its border.
  static std::optional<isl::set> border_of(const Nest& nest, const Nest& leaf,
                                           const isl::set& side) {
    const isl::set runs = prefixes(leaf.times, nest.depth + 1);
    const isl::set border = coalesced(prefixes(side, nest.depth + 1));
    const isl::set condition = coalesced(border.gist(nest.times));
    if (!involves(condition, nest.depth)) return std::nullopt;
    const isl::set rest = coalesced(runs.subtract(border));
    const isl::val width = longest_run(border);
    if (rest.is_empty() || !width.is_int() || width.mul(2).gt(longest_run(rest)))
      return std::nullopt;
    return condition;
  }

  void add_cut(int id, const BorderCut& cut) {
    std::vector<BorderCut>& cuts = found[id];
    for (BorderCut& other : cuts)
      if (isl_set_plain_is_equal(other.prefixes.get(), cut.prefixes.get()) == isl_bool_true &&
          other.separate == cut.separate) {
        other.lanes |= cut.lanes;
        return;
      }
    cuts.push_back(cut);
  }

  const TimeSpace& space_;
  std::vector<const Nest*> around_;                  // the loops around, outermost first ..
  std::vector<const Nest*>::iterator outside_ = {};  // .. up to the first vector loop
};

}  // namespace

BorderCuts border_cuts(const std::vector<Nest>& nests, const TimeSpace& space) {
  BorderFinder finder(space);
  for (const Nest& nest : nests) finder.add(nest);
  return finder.found;
}

bool seeks(Sought sought, const BorderCut& cut) {
  if (cut.separate || !cut.lanes) return sought == Sought::all;
  return sought != Sought::none;
}

}  // namespace strata
