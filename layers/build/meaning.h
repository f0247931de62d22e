// What an author's value means: its scalars, and the reduction that they are contributions to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/tuple.h"

namespace strata {

struct Meaning {
  std::vector<Expr> values;  // of a reduction, those of one contribution
  std::vector<Var> over;     // none: no reduction
  std::optional<Reduction> kind;
  std::vector<Expr> steps, identities;
};

// Of a definition of one scalar ..
Meaning meaning_of(const Expr& value);
// .. and of one of several, in the types of the identities if it is a reduction.  "name" is the
// definition's, for errors: E0106 a value without an expression, E0109 another number of scalars
// than the reduction combines, E0110 types that do not mix.
Meaning meaning_of(const Tuple& tuple, const std::string& name, const Request& request);

// "value" as a value of "type", where that changes no value (E0110).
Expr converted(const Expr& value, Type type, const std::string& name, const Request& request);

}  // namespace strata
