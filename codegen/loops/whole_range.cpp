#include "codegen/loops/whole_range.h"

#include <isl/aff.h>
#include <isl/set.h>

#include "codegen/loops/isl_expr.h"
#include "codegen/loops/scan.h"
#include "core/sets/constant_range.h"

namespace strata {

namespace {

// { [t<depth>] : .. }; the iterators around are parameters
isl::set values_of(const isl::set& iterations, int depth) {
  return iterations.unbind_params(strata::tuple_of_one(iterations.ctx(), iterator_name(depth)));
}

// lower <= t < lower + size
std::optional<WholeRange> range_of(const isl::pw_aff& lower, std::int64_t size,
                                   const isl::set& iterations, int depth) {
  const isl::pw_aff t = parameter_named(iterations, iterator_name(depth));
  const isl::pw_aff end = lower.add_constant(isl::val(lower.ctx(), long(size)));
  return WholeRange{lower, size, t.ge_set(lower).intersect(t.lt_set(end))};
}

}  // namespace

std::optional<WholeRange> whole_range(const isl::set& iterations, int depth) {
  const isl::set values = values_of(iterations, depth);
  if (values.is_empty()) return std::nullopt;
  const isl::fixed_box box = values.simple_fixed_box_hull();
  if (!box.is_valid() || !box.size().at(0).is_int()) return std::nullopt;
  // isl aligns the parameters of piecewise functions only.
  return range_of(isl::pw_aff(box.offset().at(0)), box.size().at(0).num_si(), iterations, depth);
}

std::optional<WholeRange> thread_range(const isl::set& iterations, int depth) {
  const auto range = constant_range(values_of(iterations, depth));
  if (!range) return std::nullopt;
  return range_of(range->lower, range->size, iterations, depth);
}

}  // namespace strata
