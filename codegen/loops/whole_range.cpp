#include "codegen/loops/whole_range.h"

#include <isl/aff.h>
#include <isl/set.h>

#include "codegen/loops/isl_expr.h"
#include "codegen/loops/scan.h"

namespace strata {

std::optional<WholeRange> whole_range(const isl::set& iterations, int depth) {
  const isl::set values =
      iterations.unbind_params(tuple_of_one(iterations.ctx(), iterator_name(depth)));
  if (values.is_empty()) return std::nullopt;
  const isl::fixed_box box = values.simple_fixed_box_hull();
  if (!box.is_valid() || !box.size().at(0).is_int()) return std::nullopt;
  // isl aligns the parameters of piecewise functions only.
  const isl::pw_aff lower(box.offset().at(0));
  const isl::val size = box.size().at(0);
  const isl::pw_aff t = parameter_named(iterations, iterator_name(depth));
  const isl::set inside = t.ge_set(lower).intersect(t.lt_set(lower.add_constant(size)));
  return WholeRange{lower, size.num_si(), inside};
}

}  // namespace strata
