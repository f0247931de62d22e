// Under which condition a part of an expression is emitted.
//
// A node that several selects share is emitted once, under the disjunction of what its uses ask for
// (core/expr/expr_evaluated.h): x under no condition in select(c, x + 1, 2 * x).  Where such a
// disjunction would hang on the node itself, as a load whose value decides whether another one
// happens that decides whether it happens, every use is emitted by itself, under the conditions
// along its path.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "codegen/halide/arithmetic/values.h"
#include "core/expr/expr_evaluated.h"

namespace strata::halide {

class Guards {
 public:
  using Formula = DecisionDiagram::Formula;
  using Asks = std::function<bool(const Expr&)>;
  using ValueOf = std::function<HExpr(const Expr&)>;

  // The expression to come; "asks" tells which of its nodes are emitted under guards.
  void enter(const Expr& whole, const Asks& asks);

  // Is each use emitted by itself?
  bool by_paths() const { return by_paths_; }
  // The formula of a node of the expression, and that formula as a condition: undefined for always.
  Formula formula(const Expr& e) const;
  HExpr condition(Formula formula, const ValueOf& value_of);
  // The condition of a select has been emitted.
  void note(const Expr& condition, const HExpr& value);

 private:
  int number_of(const Expr& condition);
  bool is_circular(const Expr& e, const Asks& asks);
  bool asks_in_circles(Formula formula, const Asks& asks);
  HExpr chain(Formula formula, const ValueOf& value_of);
  HExpr value(int condition, const ValueOf& value_of);

  DecisionDiagram diagram_;
  std::map<const ExprNode*, int> numbers_;
  std::vector<Expr> conditions_;
  std::map<const ExprNode*, Formula> formulas_;  // of the nodes that are not evaluated always
  std::map<int, HExpr> values_;
  std::map<Formula, HExpr> made_;
  enum class Color { open, done };
  std::map<const ExprNode*, Color> colors_;
  std::set<Formula> asked_;
  bool by_paths_ = false;
};

}  // namespace strata::halide
