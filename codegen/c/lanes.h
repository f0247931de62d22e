// Values of several lanes of a vector loop at a time, in the vector extensions of GCC and Clang.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/c/expressions.h"

namespace strata::c {

// The lanes first, first + 1, .., first + count - 1 of a loop over "variable"; "first" is an
// expression over names of the scope.
struct LaneRange {
  std::string variable;
  Expr first;
  int count;
};

// The lines of the statement buffer[indices] = value for these lanes, in vectors. The value must be
// made of sums, differences, products, quotients and extrema of floats of one type, and the
// elements must lie beside each other. Nothing for any other statement.
std::optional<std::vector<std::string>> store_of_lanes(Scope& scope, const LaneRange& lanes,
                                                       const Execute& execute);

// A condition without the lane, under which "condition" is true in all lanes. Nothing if it is not
// a conjunction of linear inequalities: these are true in all lanes if they are in the first and
// the last one.
std::optional<Expr> in_all_lanes(const Expr& condition, const LaneRange& lanes);

}  // namespace strata::c
