// Refusals of unknown names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace strata::graph {

// The refusal of a wrong name. To mend it, it says "write NEAREST" if a name in the list is near,
// else "mend".
Error unknown_name(std::string_view wrong, const std::vector<std::string>& names, Code code,
                   const std::string& explanation, const std::string& other_mend,
                   const Request& request);

}  // namespace strata::graph
