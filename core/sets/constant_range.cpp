#include "core/sets/constant_range.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include "core/sets/coalesce.h"
#include "core/sets/difference.h"
#include "core/sets/quotients.h"
#include "core/sets/small_integer.h"

namespace strata {

namespace {

isl::fixed_box box_around(const isl::set& numbers) { return fixed_box_around(numbers); }
isl::fixed_box box_around(const isl::map& numbers) { return fixed_box_around_range(numbers); }

isl::set all_of(const isl::set& numbers) { return numbers; }
isl::set all_of(const isl::map& numbers) { return numbers.wrap().flatten(); }

isl::pw_aff least(const isl::set& numbers) {
  return isl::manage(isl_set_dim_min(numbers.copy(), 0));
}
isl::pw_aff least(const isl::map& numbers) {
  return isl::manage(isl_map_dim_min(numbers.copy(), 0));
}

std::optional<ConstantRange> range_of(const isl::pw_aff& lower, const isl::val& size) {
  const auto count = small_integer(size);
  return count ? std::optional(ConstantRange{lower, *count}) : std::nullopt;
}

template <typename Numbers>
std::optional<ConstantRange> range_from_least(const Numbers& numbers) {
  const isl::val difference = largest_difference(all_of(numbers));
  if (!difference.is_int()) return std::nullopt;
  const isl::pw_aff lower = least(numbers);
  const isl::set others = lower.domain().complement();
  return range_of(coalesced(lower.union_add(others.pw_aff_on_domain(0))), difference.add(1));
}

template <typename Numbers>
std::optional<ConstantRange> range_around(const Numbers& numbers) {
  if (numbers.is_empty()) return std::nullopt;
  const isl::fixed_box box = box_around(numbers);
  if (box.is_valid()) return range_of(isl::pw_aff(box.offset().at(0)), box.size().at(0));
  // A bound with fewer conditions is a simpler function.
  const auto simpler = range_from_least(without_existentials(numbers));
  return simpler ? simpler : range_from_least(numbers);
}

}  // namespace

std::optional<ConstantRange> constant_range(const isl::set& numbers) {
  return range_around(numbers);
}

std::optional<ConstantRange> constant_range(const isl::map& numbers) {
  return range_around(numbers);
}

}  // namespace strata
