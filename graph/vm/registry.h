// Packed functions: what programs call by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/vm/value.h"

namespace strata::graph {

using PackedFunction = std::function<VmValue(const std::vector<VmValue>&)>;

// Makes a function known in this process.  std::invalid_argument if the name is taken, unless it
// replaces, or if there is no function. Threads may register and call at the same time.
void register_packed(const std::string& name, PackedFunction function, bool replaces = false);
// Null if there is none.
std::shared_ptr<const PackedFunction> find_packed(const std::string& name);
std::vector<std::string> packed_names();

}  // namespace strata::graph
