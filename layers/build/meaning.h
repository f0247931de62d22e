// The meaning of a value as written: its scalars, and the reduction that they contribute to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/tuple.h"

namespace strata {

struct Meaning {
  std::vector<Expr> values;  // for a reduction: those of one contribution
  std::vector<Var> over;     // empty: not a reduction
  std::optional<Reduction> kind;
  std::vector<Expr> steps, identities;
};

// Of a definition with one scalar.
Meaning meaning_of(const Expr& value);
// Of a definition with several; for a reduction, in the types of the identities.  "name" is the
// definition's, for errors: E0106 a scalar without an expression, E0109 a number of scalars other
// than the reduction's, E0110 types that do not mix.
Meaning meaning_of(const Tuple& tuple, const std::string& name, const Request& request);

// "value" converted to "type"; E0110 if that may change the value.
Expr converted(const Expr& value, Type type, const std::string& name, const Request& request);

}  // namespace strata
