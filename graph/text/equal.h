// Modules that mean the same.
#pragma once

#include <cstdint>
#include <string>

#include "graph/ir/module.h"

namespace strata::graph {

// A text of the module in which variables and symbols are numbered, and constants and kernels are
// given by what they are. Modules with equal texts mean the same. The reverse fails in one case: if
// several symbols first occur in the same dim, their names decide their numbers, so equal modules
// may have different texts.
std::string canonical_text(const Module& module);
bool is_equal(const Module& a, const Module& b);

}  // namespace strata::graph
