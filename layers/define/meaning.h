// The meaning of a value as written: its scalars, and the reduction that they contribute to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/tuple.h"

namespace strata {

struct Meaning {
  std::vector<Expr> values;             // for a reduction: those of one contribution
  std::vector<Var> over;                // empty: not a reduction
  std::optional<Reduction> kind;        // of a built-in reduction
  std::vector<Expr> steps, identities;  // of a reduction; no steps if it is built in
};

// For a definition with one scalar.
Meaning meaning_of(const Expr& value);
// For a definition with several; the values of a reduction get the types of its identities. "name"
// is the definition's, for errors: E0106 a scalar is an undefined Expr, E0109 the number of scalars
// is not the reduction's, E0110 types do not mix.
Meaning meaning_of(const Tuple& tuple, const std::string& name, const Request& request);

// "value" converted to "type"; E0110 if that may change the value.
Expr converted(const Expr& value, Type type, const std::string& name, const Request& request);

}  // namespace strata
