// Element types by their names in numpy: bool, int64, float32, ..
#pragma once

#include <strata/runtime.h>

#include <optional>
#include <string>

namespace strata::graph {

// As numpy's, and bfloat16.
std::string name_of(strata_type type);
// Nothing if there is none.
std::optional<strata_type> find_element_type(const std::string& name);

}  // namespace strata::graph
