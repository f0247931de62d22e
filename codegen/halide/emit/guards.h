// The condition under which a part of an expression is emitted.
//
// A node that several selects share is emitted once, under the disjunction of the conditions of its
// uses (core/expr/expr_evaluated.h): in select(c, x + 1, 2 * x), x is emitted unconditionally. Such
// a disjunction may depend on the node itself: a load's value decides whether a second load
// happens, which decides whether the first one happens. Then every use is emitted separately, under
// the conditions along its path.
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
  using NeedsGuard = std::function<bool(const Expr&)>;
  using ValueOf = std::function<HExpr(const Expr&)>;

  // Starts the expression "whole"; "needs_guard" says which of its nodes are emitted under guards.
  void enter(const Expr& whole, const NeedsGuard& needs_guard);

  // True if each use is emitted separately.
  bool by_paths() const { return by_paths_; }
  // The formula of a node of the expression; and the condition that a formula stands for, undefined
  // if it always holds.
  Formula formula(const Expr& e) const;
  HExpr condition(Formula formula, const ValueOf& value_of);
  // Records the emitted value of a select's condition.
  void note(const Expr& condition, const HExpr& value);

 private:
  int number_of(const Expr& condition);
  bool is_circular(const Expr& e, const NeedsGuard& needs_guard);
  bool has_cycle(Formula formula, const NeedsGuard& needs_guard);
  HExpr chain(Formula formula, const ValueOf& value_of);
  HExpr value(int condition, const ValueOf& value_of);

  DecisionDiagram diagram_;
  std::map<const ExprNode*, int> numbers_;
  std::vector<Expr> conditions_;
  std::map<const ExprNode*, Formula> formulas_;  // of the nodes that are not always evaluated
  std::map<int, HExpr> values_;
  std::map<Formula, HExpr> made_;
  enum class Color { open, done };
  std::map<const ExprNode*, Color> colors_;
  std::set<Formula> asked_;
  bool by_paths_ = false;
};

}  // namespace strata::halide
