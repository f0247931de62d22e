#include "codegen/scratch.h"

#include <isl/aff.h>
#include <isl/set.h>

#include <algorithm>

#include "codegen/isl_expr.h"
#include "codegen/parametric_tile.h"
#include "codegen/scan.h"
#include "codegen/touched.h"

namespace strata {

namespace {

// { S[i] : S[i] runs in the iteration [t0, .., tp] of "all" }, these being parameters; of a loop
// over parametric tiles, in the tile.
isl::set instances_inside(const isl::set& all, const TimeBranch& branch, int depth) {
  isl_set* times = all.copy();
  for (int level = 0; level <= depth; ++level) {
    const int position = isl_set_dim(times, isl_dim_param);
    times = isl_set_add_dims(times, isl_dim_param, 1);
    times = isl_set_set_dim_name(times, isl_dim_param, unsigned(position),
                                 iterator_name(level).c_str());
    times = isl_set_equate(times, isl_dim_param, position, isl_dim_set, level);
  }
  isl::set inside = isl::manage(times);
  for (int level = 0; level <= depth; ++level) {
    if (!branch.loops[std::size_t(level)]->tile_size) continue;
    inside = inside.intersect_params(inside_tile(inside.params(), level));
    inside = without_iterator(inside, level);
  }
  return inside.apply(branch.instance.as_map());
}

// Of this copy of the loop, or of all its copies.
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

ScratchBox box_of(const LayoutBuffer& buffer, const isl::set& touched) {
  const isl::set places = touched.coalesce();
  const isl::fixed_box hull = places.simple_fixed_box_hull();
  ScratchBox box{&buffer, {}, {}};
  const isl::multi_aff offset = hull.offset();
  const isl::multi_val size = hull.size();
  const isl::set always = isl::set::universe(places.params().space());
  for (int d = 0; d < buffer.dimensions; ++d) {
    if (size.at(d).is_int()) {
      box.lowers.push_back(isl::pw_aff(offset.at(d)));
      box.extents.push_back(always.pw_aff_on_domain(0).add_constant(size.at(d)));
      continue;
    }
    const isl::pw_aff least = isl::manage(isl_set_dim_min(places.copy(), d));
    const isl::pw_aff most = isl::manage(isl_set_dim_max(places.copy(), d));
    box.lowers.push_back(or_zero(least, always));
    box.extents.push_back(or_zero(most.sub(least).add_constant(1), always));
  }
  return box;
}

// Of a buffer that is mentioned where nothing of it is touched: reads under conditions that never
// hold there.
ScratchBox empty_box(const LayoutBuffer& buffer, const isl::set& places) {
  const isl::pw_aff zero = isl::set::universe(places.params().space()).pw_aff_on_domain(0);
  const std::vector<isl::pw_aff> zeros(std::size_t(buffer.dimensions), zero);
  return {&buffer, zeros, zeros};
}

bool is_constant(const ScratchBox& box) {
  return std::all_of(box.extents.begin(), box.extents.end(), [](const isl::pw_aff& extent) {
    return isl_pw_aff_is_cst(extent.get()) == isl_bool_true;
  });
}

}  // namespace

std::vector<ScratchBox> scratch_boxes(const Nest& nest, const TimeSpace& space,
                                      const Program& program, const Request& request) {
  std::vector<ScratchBox> boxes;
  if (nest.loop->allocations.empty()) return boxes;
  const AllTouched all = touched_inside(nest, true, space, program, request);
  const AllTouched here = touched_inside(nest, false, space, program, request);
  for (const std::string& name : nest.loop->allocations) {
    const auto touched = here.find(name);
    if (touched == here.end()) continue;
    const LayoutBuffer& buffer = *program.layout.find(name);
    if (touched->second.places.is_empty()) {
      boxes.push_back(empty_box(buffer, touched->second.places));
      continue;
    }
    const auto box = [&](const AllTouched& some) {
      return box_of(buffer, some.at(name).places.intersect_params(space.context));
    };
    const ScratchBox whole = box(all);
    boxes.push_back(is_constant(whole) ? whole : box(here));
  }
  return boxes;
}

}  // namespace strata
