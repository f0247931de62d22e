// The parts of an expression that its text names instead of repeating them.
#pragma once

#include <vector>

#include "core/expr/expr.h"

namespace strata {

// A text repeats shared parts if the fully repeated tree has at most this many nodes.
inline constexpr int largest_repeated_tree = 1000;
// In a larger tree, a shared part is named if its own tree has more than this many nodes.
inline constexpr int largest_unnamed_part = 4;

// The nodes to name, parts before wholes: those that are used more than once.
//
// A node that uses a named part is larger than the part, so if it is shared it is named, too. So
// the text uses each named part as often as the expression does, and parsing it gives an expression
// with the same parts to name.
std::vector<Expr> parts_to_name(const Expr& whole);

}  // namespace strata
