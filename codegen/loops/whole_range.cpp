#include "codegen/loops/whole_range.h"

#include <isl/aff.h>
#include <isl/set.h>

#include "codegen/loops/isl_expr.h"
#include "codegen/loops/scan.h"
#include "core/sets/quotients.h"

namespace strata {

namespace {

// { [t<depth>] : .. }, the iterators around being parameters
isl::set values_of(const isl::set& iterations, int depth) {
  return iterations.unbind_params(strata::tuple_of_one(iterations.ctx(), iterator_name(depth)));
}

std::optional<WholeRange> range_of(const isl::fixed_box& box, const isl::set& iterations,
                                   int depth) {
  if (!box.is_valid() || !box.size().at(0).is_int()) return std::nullopt;
  // isl aligns the parameters of piecewise functions only.
  const isl::pw_aff lower(box.offset().at(0));
  const isl::val size = box.size().at(0);
  const isl::pw_aff t = parameter_named(iterations, iterator_name(depth));
  const isl::set inside = t.ge_set(lower).intersect(t.lt_set(lower.add_constant(size)));
  return WholeRange{lower, size.num_si(), inside};
}

}  // namespace

std::optional<WholeRange> whole_range(const isl::set& iterations, int depth) {
  const isl::set values = values_of(iterations, depth);
  if (values.is_empty()) return std::nullopt;
  return range_of(values.simple_fixed_box_hull(), iterations, depth);
}

std::optional<WholeRange> thread_range(const isl::set& iterations, int depth) {
  const isl::set values = values_of(iterations, depth);
  if (values.is_empty()) return std::nullopt;
  return range_of(fixed_box_around(values), iterations, depth);
}

}  // namespace strata
