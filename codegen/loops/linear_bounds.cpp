#include "codegen/loops/linear_bounds.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>

#include <functional>

#include "codegen/tree/index_math.h"
#include "core/sets/quotients.h"

namespace strata {

namespace {

std::int64_t integer_of(isl_val* value) { return isl::manage(value).num_si(); }

// constant + sum_p coefficient_p p, over the parameters.
Expr parametric_part(const isl::aff& form) {
  Expr sum = constant(i64, integer_of(isl_aff_get_constant_val(form.get())));
  const int count = int(isl_aff_dim(form.get(), isl_dim_param));
  for (int n = 0; n < count; ++n) {
    const std::int64_t factor =
        integer_of(isl_aff_get_coefficient_val(form.get(), isl_dim_param, n));
    if (factor != 0)
      sum = sum + factor * parameter(isl_aff_get_dim_name(form.get(), isl_dim_param, unsigned(n)));
  }
  return simplified(sum);
}

// Adds  form >= 0,  where form = k x + rest.
void add_inequality(LinearBounds& bounds, const isl::aff& form) {
  const std::int64_t k = integer_of(isl_aff_get_coefficient_val(form.get(), isl_dim_in, 0));
  const Expr rest = parametric_part(form);
  const auto quotient = [&](std::int64_t by) { return by == 1 ? rest : rest / by; };
  if (k > 0) bounds.lowers.push_back(simplified(-1 * quotient(k)));
  if (k < 0) bounds.uppers.push_back(quotient(-k));
  if (k == 0) bounds.conditions.push_back(rest >= 0);
}

isl_stat add_constraint(isl_constraint* constraint, void* user) {
  auto& bounds = *static_cast<LinearBounds*>(user);
  const bool equality = isl_constraint_is_equality(constraint) == isl_bool_true;
  const isl::aff form = isl::manage(isl_constraint_get_aff(constraint));
  isl_constraint_free(constraint);
  if (equality && integer_of(isl_aff_get_coefficient_val(form.get(), isl_dim_in, 0)) == 0) {
    bounds.conditions.push_back(parametric_part(form) == 0);
    return isl_stat_ok;
  }
  add_inequality(bounds, form);
  if (equality) add_inequality(bounds, form.neg());
  return isl_stat_ok;
}

Expr combined_bounds(const std::vector<Expr>& all, const std::function<Expr(Expr, Expr)>& two) {
  Expr result;
  for (const Expr& one : all) result = result.defined() ? two(result, one) : one;
  return result;
}

}  // namespace

Expr LinearBounds::lower() const {
  return combined_bounds(lowers, [](const Expr& a, const Expr& b) { return max(a, b); });
}

Expr LinearBounds::upper() const {
  return combined_bounds(uppers, [](const Expr& a, const Expr& b) { return min(a, b); });
}

LinearBounds linear_bounds(const isl::basic_set& set, const isl::set& context) {
  const isl::set simple = isl::set(set).gist_params(context);
  const isl::basic_set one = isl::manage(isl_set_simple_hull(simple.copy()));
  LinearBounds bounds;
  isl_basic_set_foreach_constraint(one.get(), add_constraint, &bounds);
  return bounds;
}

isl::set on_dimension(const isl::set& set, unsigned d) {
  const unsigned dimensions = set.tuple_dim();
  isl_set* one = isl_set_project_out(set.copy(), isl_dim_set, d + 1, dimensions - d - 1);
  one = isl_set_reset_tuple_id(one);
  return without_existentials(isl::manage(isl_set_project_out(one, isl_dim_set, 0, d)));
}

}  // namespace strata
