// For traversals of expressions: the parts of a node that are expressions themselves.
#pragma once

#include <string>
#include <vector>

#include "core/expr/expr_typing.h"

namespace strata {

// The bounds of the reduced iterators that have a range, in order.
std::vector<Expr> bounds_of(const ExprNode& node);

// True if these are the same nodes, by identity.
bool identical(const std::vector<Expr>& a, const std::vector<Expr>& b);

// "e" with other reduced iterators and arguments: "e" itself if nothing changes; invalid if one of
// the new parts is invalid.
Expr rebuilt(const Expr& e, std::vector<Var> variables, std::vector<Expr> args);

}  // namespace strata
