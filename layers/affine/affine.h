// From expressions to isl: the affine ones.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/sets/relation.h"

namespace strata {

// Where an expression stands: its iterators are the dimensions of "space", in order; any
// parameter it names is added.
struct Scope {
  isl::space space;                    // { S[i, j] }
  std::vector<std::string> iterators;  // "i", "j"
};

// { name[iterators] }; an empty name leaves its dimension nameless.
Scope scope_of(isl::ctx ctx, const std::string& name, const std::vector<std::string>& iterators);

// The functions and sets here are made of pieces, of which min, max and select over others make
// products: ten nested selects can have 2^10.  Each piece counts once, and once more for each of its
// quotients; what has more than this many, or a part that has, counts as not affine.
inline constexpr int most_pieces_of_value = 32;

// { S[i] -> e(i) }, or nothing where "e" is not quasi-affine: sums, products and quotients by
// constants, "/" and "%" (floor), min, max, abs, shifts by constants, and select over conditions
// of the same kind.  Nothing either where its arithmetic is not exact (layers/affine/exact.h): integers
// wrap, which no affine function does.  And nothing where it has too many pieces.
std::optional<isl::pw_aff> affine(const Expr& e, const Scope& scope);

// { S[i] : condition(i) }, or nothing where it is not a Presburger formula, or not exact, or has too
// many pieces.
std::optional<isl::set> affine_condition(const Expr& condition, const Scope& scope);

// The same of many expressions in one scope, whose common parts are translated once.
class Translation {
 public:
  explicit Translation(const Scope& scope);
  ~Translation();
  Translation& operator=(Translation&&);
  std::optional<isl::pw_aff> affine(const Expr& e);
  std::optional<isl::set> condition(const Expr& e);
  std::optional<isl::pw_aff> over_integers(const Expr& e);  // as affine_over_integers, below

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

// The same of what is known to be exact, whatever its operands may be; the pieces count here, too.
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
