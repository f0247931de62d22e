// Packed functions, which programs call by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/vm/value.h"

namespace strata::graph {

using PackedFunction = std::function<VmValue(const std::vector<VmValue>&)>;

// Registers a function in this process. std::invalid_argument if the name is taken and "replaces"
// is false, or if the function is empty. Threads may register and call at the same time.
void register_packed(const std::string& name, PackedFunction function, bool replaces = false);
// Null if there is no function of this name.
std::shared_ptr<const PackedFunction> find_packed(const std::string& name);
std::vector<std::string> packed_names();

}  // namespace strata::graph
