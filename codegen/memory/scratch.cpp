#include "codegen/memory/scratch.h"

#include <isl/aff.h>

#include <algorithm>

#include "codegen/memory/touched.h"

namespace strata {

namespace {

// What this copy of the loop touches, or all its copies together ("whole").
AllTouched touched_inside(const Nest& nest, bool whole, const TimeSpace& space,
                          const Program& program, const Request& request) {
  AllTouched all;
  for_each_leaf(nest, [&](const Nest& leaf) {
    const TimeBranch& branch = space.branches[leaf.branch];
    const isl::set& times = whole ? leaf.whole : leaf.times;
    add_touched(all, program, *branch.definition, instances_inside(times, branch, nest.depth),
                request);
  });
  return all;
}

// The box of a buffer that is mentioned but not touched: reads under conditions that never hold.
PlaceBox empty_box(const LayoutBuffer& buffer, const isl::set& places) {
  const isl::pw_aff zero = isl::set::universe(places.params().space()).pw_aff_on_domain(0);
  const std::vector<isl::pw_aff> zeros(std::size_t(buffer.dimensions), zero);
  return {&buffer, zeros, zeros};
}

bool is_constant(const PlaceBox& box) {
  return std::all_of(box.extents.begin(), box.extents.end(), [](const isl::pw_aff& extent) {
    return isl_pw_aff_is_cst(extent.get()) == isl_bool_true;
  });
}

}  // namespace

std::vector<OwnBox> own_boxes(const Nest& nest, const std::vector<Lifetime>& lifetimes,
                              const TimeSpace& space, const Program& program,
                              const Request& request) {
  std::vector<OwnBox> boxes;
  if (lifetimes.empty()) return boxes;
  const AllTouched all = touched_inside(nest, true, space, program, request);
  const AllTouched here = touched_inside(nest, false, space, program, request);
  for (const Lifetime& life : lifetimes) {
    const auto touched = here.find(life.buffer);
    if (touched == here.end()) continue;
    const LayoutBuffer& buffer = *program.layout.find(life.buffer);
    if (touched->second.places.is_empty()) {
      boxes.push_back({life, empty_box(buffer, touched->second.places)});
      continue;
    }
    const auto box = [&](const AllTouched& some) {
      return box_hull(buffer, some.at(life.buffer).places.intersect_params(space.context));
    };
    const PlaceBox whole = box(all);
    boxes.push_back({life, is_constant(whole) ? whole : box(here)});
  }
  return boxes;
}

}  // namespace strata
