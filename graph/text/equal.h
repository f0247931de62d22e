// Modules that mean the same.
#pragma once

#include <cstdint>
#include <string>

#include "graph/ir/module.h"

namespace strata::graph {

// A text of the module in which variables and symbols are numbered, and constants and kernels are
// given by what they are. Equal texts, equal modules; where a dim has several symbols that occur
// in no dim before it, their names decide the numbers, and equal modules may have other texts.
std::string canonical_text(const Module& module);
bool is_equal(const Module& a, const Module& b);

}  // namespace strata::graph
