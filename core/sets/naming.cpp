#include "core/sets/naming.h"

#include <isl/set.h>

namespace strata {

isl::set with_tuple_name(const isl::set& set, const std::string& name) {
  return isl::manage(isl_set_set_tuple_name(set.copy(), name.c_str()));
}

isl::set with_dim_names(const isl::set& set, const std::vector<std::string>& names) {
  isl_set* named = set.copy();
  for (std::size_t d = 0; d < names.size(); ++d)
    named = isl_set_set_dim_name(named, isl_dim_set, unsigned(d), names[d].c_str());
  return isl::manage(named);
}

}  // namespace strata
