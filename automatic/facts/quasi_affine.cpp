#include "automatic/facts/quasi_affine.h"

#include "core/floor_quotient.h"
#include "core/sets/small_integer.h"

namespace strata::automatic {

namespace {

// Thrown if a number does not fit: then the function has no value.
struct DoesNotFit {};

std::int64_t number(const isl::val& value) {
  if (const auto fits = small_integer(value)) return *fits;
  throw DoesNotFit{};
}

std::int64_t scaled(isl_val* coefficient, const isl::val& denominator) {
  return number(isl::manage(coefficient).mul(denominator));
}

QuasiAffine quasi_affine(const isl::aff& aff, const Values& sizes) {
  const isl::val denominator = isl::manage(isl_aff_get_denominator_val(aff.get()));
  const auto count = [&](isl_dim_type type) { return isl_aff_dim(aff.get(), type); };
  const auto coefficient = [&](isl_dim_type type, int n) {
    return scaled(isl_aff_get_coefficient_val(aff.get(), type, n), denominator);
  };
  QuasiAffine made{scaled(isl_aff_get_constant_val(aff.get()), denominator)};
  made.denominator = number(denominator);
  for (int n = 0; n < count(isl_dim_param); ++n) {
    const std::int64_t times = coefficient(isl_dim_param, n);
    const auto found = sizes.find(isl_aff_get_dim_name(aff.get(), isl_dim_param, unsigned(n)));
    if (times && found == sizes.end()) throw DoesNotFit{};
    if (times) made.constant += times * found->second;
  }
  for (int n = 0; n < count(isl_dim_in); ++n)
    made.coefficients.push_back(coefficient(isl_dim_in, n));
  for (int n = 0; n < count(isl_dim_div); ++n)
    if (const std::int64_t times = coefficient(isl_dim_div, n))
      made.quotients.emplace_back(times,
                                  quasi_affine(isl::manage(isl_aff_get_div(aff.get(), n)), sizes));
  return made;
}

// Is x in the set, which is that of a piece of a function? Its tuple may have any name.
bool contains(const isl::set& set, const Point& x, const Values& sizes) {
  isl::set at = at_sizes(set, sizes);
  for (std::size_t d = 0; d < x.size(); ++d) at = fixed_at(at, unsigned(d), x[d]);
  return !at.is_empty();
}

}  // namespace

std::int64_t QuasiAffine::at(const Point& x) const {
  std::int64_t sum = constant;
  for (std::size_t k = 0; k < coefficients.size(); ++k) sum += coefficients[k] * x[k];
  for (const auto& [times, quotient] : quotients) sum += times * quotient.at(x);
  return floor_quotient(sum, denominator);
}

Point PointMap::at(const Point& x) const {
  Point point;
  for (const QuasiAffine& d : dimensions) point.push_back(d.at(x));
  return point;
}

std::optional<PointMap> function_at(const isl::map& map, const Point& x, const Values& sizes) try {
  std::optional<PointMap> found;
  const isl::pw_multi_aff function = map.as_pw_multi_aff();
  const bool only = isl_pw_multi_aff_n_piece(function.get()) == 1;
  function.foreach_piece([&](const isl::set& where, const isl::multi_aff& piece) {
    if (found || (!only && !contains(where, x, sizes))) return;
    PointMap made;
    for (unsigned d = 0; d < unsigned(isl_multi_aff_dim(piece.get(), isl_dim_out)); ++d)
      made.dimensions.push_back(quasi_affine(piece.at(int(d)), sizes));
    found = std::move(made);
  });
  return found;
} catch (const DoesNotFit&) {
  return std::nullopt;
}

isl::set at_sizes(isl::set set, const Values& sizes) {
  for (const auto& [name, size] : sizes) {
    const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
    if (position >= 0)
      set =
          isl::manage(isl_set_fix_si(set.release(), isl_dim_param, unsigned(position), int(size)));
  }
  return isl::manage(isl_set_project_out_all_params(set.release()));
}

isl::set fixed_at(const isl::set& set, unsigned dimension, std::int64_t value) {
  return isl::manage(isl_set_fix_si(set.copy(), isl_dim_set, dimension, int(value)));
}

}  // namespace strata::automatic
