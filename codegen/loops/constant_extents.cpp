#include "codegen/loops/constant_extents.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace strata {

namespace {

constexpr std::int64_t first_cache = 1 << 15, usual_size = 1000, most_times = 4;

// Do constant extents make a buffer that fits the cache? Other dimensions count as 1.
bool is_small(const LayoutBuffer& buffer, const std::vector<std::optional<isl::val>>& most) {
  std::int64_t all = bytes(buffer.type);
  for (const auto& extent : most) {
    if (!extent) continue;
    if (extent->gt(isl::val(extent->ctx(), first_cache))) return false;
    if ((all *= std::max<std::int64_t>(extent->num_si(), 1)) > first_cache) return false;
  }
  return true;
}

// { : every parameter of the program = usual_size }
isl::set usual_parameters(const isl::space& space, const std::vector<std::string>& parameters) {
  isl_set* usual = isl_set_universe(isl_space_params(space.copy()));
  for (const std::string& name : parameters) {
    const int position = isl_set_find_dim_by_name(usual, isl_dim_param, name.c_str());
    if (position >= 0) usual = isl_set_fix_si(usual, isl_dim_param, unsigned(position), usual_size);
  }
  return isl::manage(usual);
}

bool is_near(const isl::val& most, const isl::pw_aff& exact,
             const std::vector<std::string>& parameters) {
  const isl::pw_aff usually = exact.intersect_params(usual_parameters(exact.space(), parameters));
  const isl::val greatest = usually.floor().max_val();
  if (!greatest.is_int() || greatest.le(isl::val(most.ctx(), 0L))) return true;
  return most.le(greatest.mul(isl::val(most.ctx(), most_times)));
}

}  // namespace

std::vector<bool> constant_extents(const LayoutBuffer& buffer,
                                   const std::vector<std::optional<isl::val>>& most,
                                   const std::function<isl::pw_aff(int)>& exact,
                                   const std::vector<std::string>& parameters) {
  const bool small = is_small(buffer, most);
  std::vector<bool> constant;
  for (std::size_t d = 0; d < most.size(); ++d)
    constant.push_back(most[d] && (small || is_near(*most[d], exact(int(d)), parameters)));
  return constant;
}

}  // namespace strata
