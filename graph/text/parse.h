// Modules from text.
#pragma once

#include <string_view>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// The module that a text of print.h describes; text_of gives the same text for it. "constants"
// gives the arrays that the text names by their hashes only.
//
// Errors: E0604, with line and column, for text that cannot be read, or that names something that
// does not exist; and the errors of the types of values, with the author's line. Does not check the
// rules of verify.
Module parse_module(std::string_view text, const std::vector<NDArray>& constants = {},
                    const Where& where = Where::here());

}  // namespace strata::graph
