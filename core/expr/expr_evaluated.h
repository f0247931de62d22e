// When the parts of an expression are evaluated, given that a select evaluates only one side: as
// formulas over the selects' conditions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/expr/decision_diagram.h"
#include "core/expr/expr.h"

namespace strata {

//     evaluated(whole) = always,   evaluated(e) = the disjunction over the uses of e of
//         evaluated(u)                 for a node u, or the condition of a select u
//         evaluated(u) and c_k         for the side that u takes if its condition k holds
//         evaluated(u) and not c_k     for the other side,
// with one formula per node, not per path to it. If the condition of u has no number, both sides
// of u may be evaluated when u is ("may"), and so is everything that they use; a node that is used
// both maybe and certainly has two formulas.
class EvaluatedParts {
 public:
  using Formula = DecisionDiagram::Formula;
  // The number of a select's condition, if it has one; queried for outer selects first.
  using NumberOf = std::function<std::optional<int>(const Expr& select)>;

  struct Use {
    const Expr* e;  // in the whole
    bool may;
    bool operator<(const Use& other) const {
      return std::pair(e->identity(), may) < std::pair(other.e->identity(), other.may);
    }
  };

  // "whole" is always evaluated, or may be.
  EvaluatedParts(const Expr& whole, bool may, DecisionDiagram& diagram, NumberOf number_of);

  // Parts before wholes.
  const std::vector<Use>& uses() const { return uses_; }
  Formula operator[](const Use& use) const { return formulas_.at(use); }
  // True if a formula became too large; then each formula is "always".
  bool given_up() const { return given_up_; }

 private:
  void list(const Expr& e, bool may);
  bool may_be_used(const Use& use, std::size_t argument) const;
  void propagate(const Use& use, DecisionDiagram& diagram);

  NumberOf number_of_;
  std::set<Use> seen_;
  std::vector<Use> uses_;
  std::map<Use, Formula> formulas_;
  bool given_up_ = false;
};

}  // namespace strata
