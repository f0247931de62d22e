// Values of several scalars, and reductions of them.
//
//   f.computation({"best", "at"}, {i}, argmin(k, x(i, k)));     // best(i) = x(i, at(i))
//
//   Reducer moments("moments", {0.0, 0.0}, [](const auto& a, const auto& b) {
//     return std::vector<Expr>{a[0] + b[0], a[1] + b[1]};
//   });
//   f.computation({"s", "ss"}, {i}, reduce(moments, k, {x(i, k), x(i, k) * x(i, k)}));
//
// A tuple is not an Expr: it is the whole value of a computation, whose scalars have names of their
// own and are read by them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata {

// A user-defined reduction: its identity and its step.
//
// The author promises that the step is associative and commutative and that the identity is
// neutral: contributions come in any order, and partial results are combined by the same step.
// Rounding may violate this promise, as it does for sums; the author accepts that.
class Reducer {
 public:
  using Scalars = std::vector<Expr>;
  using Step = std::function<Scalars(const Scalars& a, const Scalars& b)>;

  // The types of "identities" are those of the scalars. "step" is called once, with expressions
  // that represent both operands.
  Reducer(std::string name, const Scalars& identities, const Step& step);

  const std::string& name() const { return name_; }
  const Scalars& identities() const { return identities_; }
  // Each scalar of a (+) b, over left_operand and right_operand; or an invalid Expr.
  const Scalars& steps() const { return steps_; }

 private:
  std::string name_;
  Scalars identities_, steps_;
};

// The expression for scalar "number" of a and of b in the steps of a reduction.
Expr left_operand(std::size_t number, Type type);
Expr right_operand(std::size_t number, Type type);
// The steps with the scalars of a and b substituted.
std::vector<Expr> applied(const std::vector<Expr>& steps, const std::vector<Expr>& a,
                          const std::vector<Expr>& b);

struct Tuple {
  std::vector<Expr> values;    // for a reduction: one contribution
  std::vector<Var> over = {};  // the reduced iterators; empty: not a reduction
  std::optional<Reducer> reducer = {};
};

Tuple tuple(std::vector<Expr> values);
Tuple reduce(const Reducer& reducer, std::vector<Var> over, std::vector<Expr> contribution);
inline Tuple reduce(const Reducer& reducer, Var k, std::vector<Expr> contribution) {
  return reduce(reducer, std::vector<Var>{std::move(k)}, std::move(contribution));
}

// The least (greatest) value, and the iterators of its position; among equal values, the
// lexicographically smallest position. NaN is never taken. Over an empty range, or NaN only: the
// identity of minimum (maximum), and the greatest int64.
Tuple argmin(std::vector<Var> over, Expr body);
Tuple argmax(std::vector<Var> over, Expr body);
inline Tuple argmin(Var k, Expr body) {
  return argmin(std::vector<Var>{std::move(k)}, std::move(body));
}
inline Tuple argmax(Var k, Expr body) {
  return argmax(std::vector<Var>{std::move(k)}, std::move(body));
}

}  // namespace strata
