// When the parts of an expression are evaluated, given that a select evaluates only one side.
#pragma once

#include <vector>

#include "core/expr/expr.h"
#include "layers/affine/affine.h"

namespace strata {

// A node and the condition under which it is evaluated; a select with an unknown condition may take
// either side.
struct Reached {
  Expr e;
  isl::set where;  // { S[i] : e is evaluated }
  bool may;        // only possibly: a condition around it is not affine
};

// The nodes of "whole" that satisfy "wanted", parts before wholes, with the sets where they are
// evaluated (core/expr/expr_evaluated.h), given that "whole" is evaluated in "where" (possibly, if
// "may"). A node that is used both under conditions on data and without is listed twice, with the
// set where it is possibly and the set where it is certainly evaluated. A union of uses with more
// than "most_pieces" pieces is replaced by all of "where", possibly.
inline constexpr int most_pieces = 64;
std::vector<Reached> reached(const Expr& whole, const isl::set& where, bool may,
                             const IteratorScope& scope, bool (*wanted)(const Expr&));

}  // namespace strata
