// Translates affine expressions to isl.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/sets/relation.h"

namespace strata {

// The context of an expression: its iterators are the dimensions of "space", in order; any
// parameter it names is added.
struct IteratorScope {
  isl::space space;                    // { S[i, j] }
  std::vector<std::string> iterators;  // "i", "j"
};

// { name[iterators] }; a dimension with an empty name is unnamed.
IteratorScope scope_of(isl::ctx ctx, const std::string& name,
                       const std::vector<std::string>& iterators);

// The functions and sets here consist of pieces; min, max and select multiply the pieces of their
// operands: ten nested selects can have 2^10. Each piece counts as one plus the number of its
// quotients. An expression with a higher count than this, or with such a part, is not affine.
inline constexpr int most_pieces_of_value = 32;

// { S[i] -> e(i) }, or nothing if "e" is not quasi-affine: sums, products and quotients by
// constants, "/" and "%" (floor), min, max, abs, shifts by constants, and select over conditions of
// the same kind. Also nothing if its arithmetic is not exact (layers/affine/exact.h), since affine
// functions do not wrap, or if it has too many pieces.
std::optional<isl::pw_aff> affine(const Expr& e, const IteratorScope& scope);

// { S[i] : condition(i) }, or nothing if it is not a Presburger formula, is not exact, or has too
// many pieces.
std::optional<isl::set> affine_condition(const Expr& condition, const IteratorScope& scope);

// The same for several expressions in one scope; common parts are translated once.
class Translation {
 public:
  explicit Translation(const IteratorScope& scope);
  ~Translation();
  Translation& operator=(Translation&&);
  std::optional<isl::pw_aff> affine(const Expr& e);
  std::optional<isl::set> condition(const Expr& e);
  // As the functions of the same name, below.
  std::optional<isl::pw_aff> affine_over_integers(const Expr& e);
  std::optional<isl::set> condition_over_integers(const Expr& e);

 private:
  class Translator;
  std::unique_ptr<Translator> translator_;
};

// The same for expressions known to be exact: only form and number of pieces are checked.
std::optional<isl::pw_aff> affine_over_integers(const Expr& e, const IteratorScope& scope);
std::optional<isl::set> condition_over_integers(const Expr& condition, const IteratorScope& scope);

// Suffix for an error message about a non-affine expression: " (..)" if its arithmetic wraps, else
// "".
std::string why_not_affine(const Expr& e);

// { S[i] : lower(i) <= i < upper(i) for every iterator with a range }; dimensions without a range
// are unbounded. If a bound is not affine, nothing, and "culprit" is set to its iterator.
std::optional<isl::set> box(const std::string& name, const std::vector<Var>& iterators,
                            isl::ctx ctx, std::string* culprit);

}  // namespace strata
