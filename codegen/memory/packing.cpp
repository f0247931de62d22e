#include "codegen/memory/packing.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <optional>

#include "codegen/loops/isl_expr.h"
#include "codegen/tree/thread_variable.h"
#include "core/sets/coalesce.h"
#include "core/sets/small_integer.h"

namespace strata {

namespace {

// Larger boxes do not become registers in any case.
constexpr std::int64_t most_offsets = 1024;
// From its own origin on, a thread has constant places among so many, which become registers.
constexpr std::int64_t few_places = 16;
constexpr unsigned long budget = 200'000;  // units of work

// { [e_d] : b[e] in places, whatever the sizes of arrays are }, which loses the conditions of
// partial tiles only.
isl::set along(const isl::set& places, int d, const std::vector<std::string>& parameters) {
  const unsigned after = unsigned(places.tuple_dim()) - unsigned(d) - 1;
  isl_set* line = isl_set_reset_tuple_id(places.copy());
  for (const std::string& name : parameters) {
    const int position = isl_set_find_dim_by_name(line, isl_dim_param, name.c_str());
    if (position < 0) continue;
    line = isl_set_drop_constraints_involving_dims(line, isl_dim_param, unsigned(position), 1);
  }
  line = isl_set_project_out(line, isl_dim_set, unsigned(d) + 1, after);
  line = isl_set_project_out(line, isl_dim_set, 0, unsigned(d));
  return coalesced(isl::manage(line));
}

// { [e - lower] : [e] in line }, for all parameters together.
isl::set offsets(const isl::set& line, const isl::pw_aff& lower) {
  isl_set* both = isl_set_flat_product(line.copy(), isl_set_from_pw_aff(lower.copy()));
  both = isl_set_project_out(both, isl_dim_param, 0, unsigned(isl_set_dim(both, isl_dim_param)));
  isl_space* pairs = isl_set_get_space(both);
  isl_aff* apart = isl_aff_zero_on_domain(isl_local_space_from_space(pairs));
  apart = isl_aff_set_coefficient_si(apart, isl_dim_in, 0, 1);
  apart = isl_aff_set_coefficient_si(apart, isl_dim_in, 1, -1);
  return isl::manage(isl_set_apply(both, isl_map_from_aff(apart)));
}

std::vector<std::int64_t> points_of(const isl::set& line) {
  std::vector<std::int64_t> all;
  line.foreach_point([&](const isl::point& p) {
    const isl::val value = isl::manage(isl_point_get_coordinate_val(p.get(), isl_dim_set, 0));
    if (const auto number = small_integer(value)) all.push_back(*number);
  });
  return all;
}

Packing densest(const std::vector<std::int64_t>& offsets, std::int64_t extent) {
  Packing best;
  for (std::int64_t period = 2; period < extent; ++period) {
    Packing packing{period, 1};
    for (const std::int64_t offset : offsets)
      packing.width = std::max(packing.width, offset % period + 1);
    if (packed_extent(extent, packing) < packed_extent(extent, best)) best = packing;
  }
  return best;
}

std::optional<std::int64_t> constant_extent(const isl::pw_aff& extent) {
  if (isl_pw_aff_is_cst(extent.get()) != isl_bool_true) return std::nullopt;
  const auto count = small_integer(extent.max_val());
  return count && *count <= most_offsets ? count : std::nullopt;
}

// Does it depend on the index of the thread?
bool is_of_thread(const isl::pw_aff& function) {
  for (std::size_t axis = 0; axis < thread_axes; ++axis) {
    const int position =
        isl_pw_aff_find_dim_by_name(function.get(), isl_dim_param, thread_variable(axis).c_str());
    if (position >= 0 && isl_pw_aff_involves_dims(function.get(), isl_dim_param, unsigned(position),
                                                  1) == isl_bool_true)
      return true;
  }
  return false;
}

// Dimension d of the box with the fewest places, from the least index on. False if it has these.
bool pack(PlaceBox& box, const isl::set& places, int d,
          const std::vector<std::string>& parameters) {
  isl::pw_aff &lower = box.lowers[std::size_t(d)], &extent = box.extents[std::size_t(d)];
  const auto count = constant_extent(extent);
  if (!count || *count <= (is_of_thread(lower) ? few_places : 2)) return false;
  const isl::set line = along(places, d, parameters);
  if (isl_set_dim_is_bounded(line.get(), isl_dim_set, 0) != isl_bool_true) return false;
  const isl::set always = isl::set::universe(line.params().space());
  const isl::pw_aff least =
      or_zero(coalesced(isl::manage(isl_set_dim_min(line.copy(), 0)).gist(line.params())), always);
  const isl::set all = offsets(line, least);
  const bool simple = isl_pw_aff_n_piece(least.get()) == 1 &&
                      isl_set_dim_is_bounded(all.get(), isl_dim_set, 0) == isl_bool_true;
  const std::vector<std::int64_t> found = simple ? points_of(all) : std::vector<std::int64_t>();
  if (found.empty()) return false;
  const std::int64_t reach = *std::max_element(found.begin(), found.end()) + 1;
  const Packing packing = densest(found, reach);
  if (packed_extent(reach, packing) >= *count) return false;
  lower = least;
  extent = extent.domain().pw_aff_on_domain(isl::val(extent.ctx(), long(reach)));
  box.packed[std::size_t(d)] = packing;
  return true;
}

}  // namespace

PlaceBox packed(const PlaceBox& box, const isl::set& places,
                const std::vector<std::string>& parameters, const Session& session) {
  PlaceBox result = box;
  result.packed.resize(box.extents.size());
  bool changed = false;
  const auto find = [&] {
    for (std::size_t d = 0; d < box.extents.size(); ++d)
      changed |= pack(result, places, int(d), parameters);
  };
  if (session.budget() <= budget || !session.within(budget, find) || !changed) return box;
  const auto has_gaps = [](const Packing& packing) { return packing.period > 1; };
  if (std::none_of(result.packed.begin(), result.packed.end(), has_gaps)) result.packed.clear();
  return result;
}

}  // namespace strata
