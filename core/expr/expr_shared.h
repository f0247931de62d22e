// The parts of an expression that a text of it names instead of repeating them.
#pragma once

#include <vector>

#include "core/expr/expr.h"

namespace strata {

// A text repeats what is shared as long as the tree, all repeated, has at most so many nodes.
inline constexpr int largest_repeated_tree = 1000;
// In a larger tree, a shared part is named if its own tree has more than so many nodes.
inline constexpr int largest_unnamed_part = 4;

// The nodes to name, parts before what they are parts of: those that are used more than once.
//
// What names a part is larger than it.  So a text that names these uses each of them as often as
// the expression does, and what the text denotes has the same parts to name.
std::vector<Expr> parts_to_name(const Expr& whole);

}  // namespace strata
