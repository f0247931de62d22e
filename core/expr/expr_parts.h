// For the walks over expressions: the parts of a node that are expressions themselves.
#pragma once

#include <string>
#include <vector>

#include "core/expr/expr_typing.h"

namespace strata {

// The bounds of the reduced iterators that have a range, in order.
std::vector<Expr> bounds_of(const ExprNode& node);

// Are these the very same nodes?
bool identical(const std::vector<Expr>& a, const std::vector<Expr>& b);

// A node like "e" with other reduced iterators and arguments: "e" itself if these are its own, and
// invalid if one of them is.
Expr rebuilt(const Expr& e, std::vector<Var> variables, std::vector<Expr> args);

}  // namespace strata
