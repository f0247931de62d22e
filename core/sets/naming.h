// Sets with other names of tuple and dimensions, and the same elements.
#pragma once

#include "core/sets/metered.h"

#include <string>
#include <vector>

namespace strata {

// { [i] } ~> { name[i] }
isl::set with_tuple_name(const isl::set& set, const std::string& name);
// The first dimensions take these names.
isl::set with_dim_names(const isl::set& set, const std::vector<std::string>& names);

}  // namespace strata
