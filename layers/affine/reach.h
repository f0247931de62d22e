// When the parts of an expression are evaluated, of which selects take one side.
#pragma once

#include <vector>

#include "core/expr/expr.h"
#include "layers/affine/affine.h"

namespace strata {

// A node together with the selects around it: those on whose conditions nothing is known may take
// either side.
struct Reached {
  Expr e;
  isl::set where;  // { S[i] : e is evaluated }
  bool may;        // only perhaps: a condition around it is not affine
};

// The nodes "wanted" in "whole", which is evaluated in "where" (perhaps only, if "may"): where
// core/expr/expr_evaluated.h says, the conditions of selects being told apart if they are affine.  A
// node that is used under conditions on data and without is listed twice, where it is evaluated
// perhaps and where for sure.  In the order of a walk, parts before wholes.  Where a union of uses
// has more than "most_pieces" pieces it is taken for all of "where", perhaps.
inline constexpr int most_pieces = 64;
std::vector<Reached> reached(const Expr& whole, const isl::set& where, bool may, const Scope& scope,
                             bool (*wanted)(const Expr&));

}  // namespace strata
