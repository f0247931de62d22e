#include "codegen/loops/parametric_tile.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>

#include "codegen/loops/isl_expr.h"
#include "codegen/loops/scan.h"

namespace strata {

std::string first_of_tile(int depth) { return iterator_name(depth) + ".first"; }
std::string last_of_tile(int depth) { return iterator_name(depth) + ".last"; }

isl::set inside_tile(const isl::set& params, int depth) {
  const isl::pw_aff t = parameter_named(params, iterator_name(depth));
  return parameter_named(params, first_of_tile(depth))
      .le_set(t)
      .intersect(t.le_set(parameter_named(params, last_of_tile(depth))));
}

ValueRange value_range(const isl::set& values, int depth) {
  const isl::ctx ctx = values.ctx();
  const isl::set t = values.unbind_params(tuple_of_one(ctx, iterator_name(depth)));
  const isl::set hull =
      isl::manage(isl_set_from_basic_set(isl_set_simple_hull(isl_set_remove_divs(t.copy()))));
  const auto within = [&](const std::string& name) { return hull.bind(tuple_of_one(ctx, name)); };
  const std::string first = first_of_tile(depth), last = last_of_tile(depth);
  const isl::set in_order = parameter_named(values, first).le_set(parameter_named(values, last));
  return {isl::manage(isl_set_dim_min(t.copy(), 0)), isl::manage(isl_set_dim_max(t.copy(), 0)),
          within(first).intersect(within(last)).intersect(in_order)};
}

}  // namespace strata
