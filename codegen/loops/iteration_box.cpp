#include "codegen/loops/iteration_box.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

#include <optional>

#include "codegen/loops/constant_extents.h"
#include "codegen/loops/isl_expr.h"
#include "codegen/loops/parametric_tile.h"
#include "codegen/loops/scan.h"
#include "core/sets/coalesce.h"

namespace strata {

namespace {

// { B[t] in times : t_level = p + ahead }, p the parameter called iterator_name(level).
isl_set* at_iterator(isl_set* times, int level, std::int64_t ahead) {
  const int position = isl_set_dim(times, isl_dim_param);
  times = isl_set_add_dims(times, isl_dim_param, 1);
  times =
      isl_set_set_dim_name(times, isl_dim_param, unsigned(position), iterator_name(level).c_str());
  isl_aff* apart = isl_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(times)));
  apart = isl_aff_set_coefficient_si(apart, isl_dim_param, position, 1);
  apart = isl_aff_set_coefficient_si(apart, isl_dim_in, level, -1);
  apart = isl_aff_set_constant_si(apart, int(ahead));
  return isl_set_intersect(times, isl_set_from_basic_set(isl_aff_zero_basic_set(apart)));
}

}  // namespace

isl::set instances_inside(const isl::set& times, const TimeBranch& branch, int depth,
                          std::int64_t ahead) {
  isl_set* at = times.copy();
  for (int level = 0; level <= depth; ++level)
    at = at_iterator(at, level, level == depth ? ahead : 0);
  isl::set inside = isl::manage(at);
  for (int level = 0; level <= depth; ++level) {
    if (!branch.loops[std::size_t(level)]->tile_size) continue;
    inside = inside.intersect_params(inside_tile(inside.params(), level));
    inside = without_iterator(inside, level);
  }
  return inside.apply(branch.instance.as_map());
}

PlaceBox box_hull(const LayoutBuffer& buffer, const isl::set& touched,
                  const std::vector<std::string>& parameters) {
  const isl::set places = coalesced(touched);
  const isl::fixed_box hull = places.simple_fixed_box_hull();
  const isl::multi_aff offset = hull.offset();
  const isl::multi_val size = hull.size();
  const isl::set always = isl::set::universe(places.params().space());
  const auto lower = [&](int d) { return isl::manage(isl_set_dim_min(places.copy(), d)); };
  const auto exact = [&](int d) {
    const isl::pw_aff least = lower(d), most = isl::manage(isl_set_dim_max(places.copy(), d));
    return or_zero(most.sub(least).add_constant(1), always);
  };
  std::vector<std::optional<isl::val>> constants;
  for (int d = 0; d < buffer.dimensions; ++d)
    constants.push_back(size.at(d).is_int() ? std::optional(size.at(d)) : std::nullopt);
  const std::vector<bool> constant = constant_extents(buffer, constants, exact, parameters);
  PlaceBox box{&buffer, {}, {}, {}};
  for (int d = 0; d < buffer.dimensions; ++d) {
    const bool fixed = constant[std::size_t(d)];
    box.lowers.push_back(fixed ? isl::pw_aff(offset.at(d)) : or_zero(lower(d), always));
    box.extents.push_back(fixed ? always.pw_aff_on_domain(0).add_constant(size.at(d)) : exact(d));
  }
  return box;
}

}  // namespace strata
