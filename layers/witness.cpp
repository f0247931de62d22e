#include "layers/witness.h"

#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace strata {

namespace {

isl::set bounded(const isl::set& set, unsigned position, bool from_zero) {
  return isl::manage(from_zero ? isl_set_lower_bound_si(set.copy(), isl_dim_set, position, 0)
                               : isl_set_upper_bound_si(set.copy(), isl_dim_set, position, -1));
}

// NaN if isl finds no value, as in some sets with constants inside floors.
isl::val number(const isl::set& set, isl_val* value) {
  return value ? isl::manage(value) : isl::val::nan(set.ctx());
}

isl::val least(const isl::set& set, unsigned position) {
  return number(set, isl_set_dim_min_val(set.copy(), int(position)));
}

isl::set fixed(const isl::set& set, unsigned position, const isl::val& value) {
  return isl::manage(isl_set_fix_val(set.copy(), isl_dim_set, position, value.copy()));
}

// Fixes one dimension to its least value, or to the value closest to 0 if unbounded below;
// unchanged if no such value is found.
isl::set closest_fixed(const isl::set& set, unsigned position, bool from_zero) {
  if (!from_zero) {
    auto value = least(set, position);
    if (value.is_int()) return fixed(set, position, value);
  }
  auto above = bounded(set, position, true);
  const bool any_above = !above.is_empty();
  const auto value = any_above ? least(above, position)
                               : number(set, isl_set_dim_max_val(set.copy(), int(position)));
  return value.is_int() ? fixed(any_above ? above : set, position, value) : set;
}

// The same set with its parameters in the order of "names": isl orders them by first use.
isl::set reordered(const isl::set& set, const std::vector<std::string>& names) {
  isl::space order = isl::space::unit(set.ctx());
  for (const std::string& name : names)
    if (isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str()) >= 0)
      order = order.add_param(name);
  return isl::manage(isl_set_align_params(set.copy(), order.release()));
}

std::string fixed_value(const isl::set& point, isl_dim_type kind, unsigned position) {
  auto value = isl::manage(isl_set_plain_get_val_if_fixed(point.get(), kind, position));
  return value.is_int() ? std::to_string(value.num_si()) : "?";
}

}  // namespace

isl::set smallest(const isl::set& set, const std::vector<std::string>& names) {
  const isl::set given = reordered(set, names);
  const unsigned parameters = unsigned(isl_set_dim(given.get(), isl_dim_param));
  const unsigned dimensions = unsigned(isl_set_dim(given.get(), isl_dim_set));
  isl::space space = given.space();
  // [N] -> { S[i] } becomes { [N, i] }
  isl::set flat =
      isl::manage(isl_set_move_dims(given.copy(), isl_dim_set, 0, isl_dim_param, 0, parameters));
  for (unsigned d = 0; d < parameters + dimensions; ++d)
    flat = closest_fixed(flat, d, d < parameters).detect_equalities();
  flat = isl::set(flat.sample());
  flat = isl::manage(isl_set_move_dims(flat.copy(), isl_dim_param, 0, isl_dim_set, 0, parameters));
  return isl::manage(isl_set_reset_space(flat.release(), space.release()));
}

isl::map smallest(const isl::map& map, const std::vector<std::string>& parameters) {
  return smallest(map.wrap(), parameters).unwrap();
}

namespace {

std::vector<std::string> names_of_parameters(const isl::set& set) {
  std::vector<std::string> names;
  for (unsigned d = 0; d < unsigned(isl_set_dim(set.get(), isl_dim_param)); ++d)
    names.push_back(isl_set_get_dim_name(set.get(), isl_dim_param, d));
  return names;
}

}  // namespace

std::string parameters_text(const isl::set& point) {
  return parameters_text(point, names_of_parameters(point));
}

std::string parameters_text(const isl::set& point, const std::vector<std::string>& parameters) {
  std::string text, iteration;
  const auto names = names_of_parameters(point);
  for (unsigned d = 0; d < names.size(); ++d) {
    const bool known = std::count(parameters.begin(), parameters.end(), names[d]) > 0;
    std::string& list = known ? text : iteration;
    list += (list.empty() ? "" : ", ") + names[d] + " = " + fixed_value(point, isl_dim_param, d);
  }
  if (iteration.empty()) return text;
  return text + (text.empty() ? "" : ", ") + "in the iteration " + iteration;
}

std::string instance_text(const isl::set& point) {
  const char* name = isl_set_get_tuple_name(point.get());
  std::string text = std::string(name ? name : "") + "[";
  const unsigned dimensions = point.tuple_dim();
  for (unsigned d = 0; d < dimensions; ++d)
    text += (d ? ", " : "") + fixed_value(point, isl_dim_set, d);
  return text + "]";
}

std::vector<long> coordinates(const isl::set& point) {
  std::vector<long> values;
  for (unsigned d = 0; d < point.tuple_dim(); ++d) {
    auto value = isl::manage(isl_set_plain_get_val_if_fixed(point.get(), isl_dim_set, d));
    values.push_back(value.num_si());
  }
  return values;
}

namespace {

// The times for one value of the parameters, if they depend on parameters that the point does not
// fix.
isl::set at_some_parameters(const isl::set& times) {
  const isl::set all = isl::manage(
      isl_set_project_out(times.copy(), isl_dim_param, 0, isl_set_dim(times.get(), isl_dim_param)));
  if (isl_set_is_bounded(all.get()) == isl_bool_true) return all;
  return isl::set(isl::basic_set(times.sample_point()));
}

}  // namespace

std::string time_text(const isl::set& point, const isl::union_map& theta) {
  std::string text;
  isl::union_set(point).apply(theta).foreach_set([&](isl::set times) {
    at_some_parameters(times.intersect_params(point.params())).foreach_point([&](isl::point time) {
      text += (text.empty() ? "" : " and ") + instance_text(isl::set(isl::basic_set(time)));
    });
  });
  return text;
}

}  // namespace strata
