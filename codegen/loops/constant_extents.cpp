#include "codegen/loops/constant_extents.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace strata {

namespace {

constexpr std::int64_t first_cache = 1 << 15, most_times = 4;
constexpr int usual_sizes[] = {1'000, 32'000, 1'000'000, 32'000'000};

// Does a buffer with these constant extents fit the cache? Dimensions without one count as 1.
bool is_small(const LayoutBuffer& buffer, const std::vector<std::optional<isl::val>>& most) {
  std::int64_t all = bytes(buffer.type);
  for (const auto& extent : most) {
    if (!extent) continue;
    if (extent->gt(isl::val(extent->ctx(), first_cache))) return false;
    if ((all *= std::max<std::int64_t>(extent->num_si(), 1)) > first_cache) return false;
  }
  return true;
}

// { : 0 <= p <= size for every parameter p of the program }
isl::set parameters_up_to(int size, const isl::space& space,
                          const std::vector<std::string>& parameters) {
  isl_set* usual = isl_set_universe(isl_space_params(space.copy()));
  for (const std::string& name : parameters) {
    const int position = isl_set_find_dim_by_name(usual, isl_dim_param, name.c_str());
    if (position < 0) continue;
    usual = isl_set_lower_bound_si(usual, isl_dim_param, unsigned(position), 0);
    usual = isl_set_upper_bound_si(usual, isl_dim_param, unsigned(position), size);
  }
  return isl::manage(usual);
}

// Is "most" near the greatest exact extent? The smallest usual range of parameters decides for
// which the buffer has places: the rest of a split loop has none for many parameters.
bool is_near(const isl::val& most, const isl::pw_aff& exact,
             const std::vector<std::string>& parameters) {
  for (const int size : usual_sizes) {
    const isl::pw_aff usually =
        exact.intersect_params(parameters_up_to(size, exact.space(), parameters));
    const isl::val greatest = usually.floor().max_val();
    if (greatest.is_int() && greatest.is_pos())
      return most.le(greatest.mul(isl::val(most.ctx(), most_times)));
  }
  return false;
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
