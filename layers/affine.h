// From expressions to isl: the affine ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/expr.h"
#include "core/relation.h"

namespace strata {

// Where an expression stands: its iterators are the dimensions of "space", in order; any
// parameter it names is added.
struct Scope {
  isl::space space;                    // { S[i, j] }
  std::vector<std::string> iterators;  // "i", "j"
};

// { name[iterators] }; an empty name leaves its dimension nameless.
Scope scope_of(isl::ctx ctx, const std::string& name, const std::vector<std::string>& iterators);

// { S[i] -> e(i) }, or nothing where "e" is not quasi-affine: sums, products and quotients by
// constants, "/" and "%" (floor), min, max, abs, shifts by constants, and select over conditions
// of the same kind.  Nothing either where its arithmetic is not exact (layers/exact.h): integers
// wrap, which no affine function does.
std::optional<isl::pw_aff> affine(const Expr& e, const Scope& scope);

// { S[i] : condition(i) }, or nothing where it is not a Presburger formula, or not exact.
std::optional<isl::set> affine_condition(const Expr& condition, const Scope& scope);

// The same of what is known to be exact, whatever its operands may be.
std::optional<isl::pw_aff> affine_over_integers(const Expr& e, const Scope& scope);
std::optional<isl::set> condition_over_integers(const Expr& condition, const Scope& scope);

// What to add where something is refused because it is not affine: "" or " (..)" for arithmetic
// that wraps.
std::string why_not_affine(const Expr& e);

// { S[i] : lower(i) <= i < upper(i) for every iterator with a range }; the dimension without a
// range is free.  Nothing where a bound is not affine, which is then told in "culprit".
std::optional<isl::set> box(const std::string& name, const std::vector<Var>& iterators,
                            isl::ctx ctx, std::string* culprit);

}  // namespace strata
