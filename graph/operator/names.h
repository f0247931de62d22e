// Names that are not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace strata::graph {

// The refusal of a wrong name: to fix it, "write NEAREST", where one of the list is near, or else
// the other mend.
Error unknown_name(std::string_view wrong, const std::vector<std::string>& names, Code code,
                   const std::string& explanation, const std::string& other_mend,
                   const Request& request);

}  // namespace strata::graph
