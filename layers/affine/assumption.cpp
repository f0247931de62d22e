#include "layers/affine/assumption.h"

#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/sets/coalesce.h"

namespace strata {

namespace {

// A lower bound: the parameter is at least this large.
struct Bound {
  std::string parameter;
  long least;
};

constexpr long largest_offered = 1'000'000;

std::optional<long> largest(const isl::set& sizes, const std::string& parameter) {
  const int at = isl_set_find_dim_by_name(sizes.get(), isl_dim_param, parameter.c_str());
  if (at < 0) return std::nullopt;
  isl_set* one = isl_set_move_dims(isl_set_from_params(sizes.copy()), isl_dim_set, 0, isl_dim_param,
                                   unsigned(at), 1);
  isl_val* most = isl_set_dim_max_val(one, 0);
  if (!most) return std::nullopt;
  const isl::val value = isl::manage(most);
  if (!value.is_int() || value.gt(largest_offered) || value.lt(-largest_offered))
    return std::nullopt;
  return value.num_si();
}

// The smallest of the bounds that exclude all these sizes.
std::optional<Bound> least_bound(const isl::set& sizes,
                                 const std::vector<std::string>& parameters) {
  std::optional<Bound> found;
  for (const std::string& parameter : parameters) {
    const auto most = largest(sizes, parameter);
    if (most && (!found || *most + 1 < found->least)) found = Bound{parameter, *most + 1};
  }
  return found;
}

isl::set above(const isl::set& sizes, const std::string& parameter, long least) {
  const int at = isl_set_find_dim_by_name(sizes.get(), isl_dim_param, parameter.c_str());
  if (at < 0) return sizes;
  return isl::manage(isl_set_lower_bound_si(sizes.copy(), isl_dim_param, unsigned(at), int(least)));
}

}  // namespace

std::string assumption_without(const isl::set& wrong, const isl::set& wanted,
                               const std::vector<std::string>& parameters) {
  std::map<std::string, long> least;
  bool excluded = true;
  coalesced(wrong.params()).foreach_basic_set([&](isl::basic_set piece) {
    const auto bound = least_bound(isl::set(piece), parameters);
    excluded = excluded && bound;
    if (!bound) return;
    const auto [entry, fresh] = least.emplace(bound->parameter, bound->least);
    if (!fresh) entry->second = std::max(entry->second, bound->least);
  });
  isl::set left = wanted;
  std::string condition;
  for (const std::string& parameter : parameters) {
    const auto bound = least.find(parameter);
    if (bound == least.end()) continue;
    left = above(left, parameter, bound->second);
    condition +=
        (condition.empty() ? "" : " && ") + parameter + " >= " + std::to_string(bound->second);
  }
  return excluded && !left.is_empty() ? condition : "";
}

}  // namespace strata
