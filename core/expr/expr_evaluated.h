// When the parts of an expression are evaluated, of which selects take one side: as formulas over
// their conditions.
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
//         evaluated(u) and c_k         for the side that u takes where its condition k holds
//         evaluated(u) and not c_k     for the other side,
// one formula for each node, never one for each path to it.  Where the condition of u has no
// number, its sides are evaluated "perhaps" if u is, and so is what they use; a node that is used
// perhaps and for sure has two formulas.
class EvaluatedParts {
 public:
  using Formula = DecisionDiagram::Formula;
  // The number of the condition of a select, if it has one; those around are asked for before.
  using NumberOf = std::function<std::optional<int>(const Expr& select)>;

  struct Use {
    const Expr* e;  // in the whole
    bool perhaps;
    bool operator<(const Use& other) const {
      return std::pair(e->identity(), perhaps) < std::pair(other.e->identity(), other.perhaps);
    }
  };

  // "whole" is evaluated always, or perhaps.
  EvaluatedParts(const Expr& whole, bool perhaps, DecisionDiagram& diagram, NumberOf number_of);

  // In the order of a walk, parts before wholes.
  const std::vector<Use>& uses() const { return uses_; }
  Formula operator[](const Use& use) const { return formulas_.at(use); }
  // Is a formula too large?  Then each says "always".
  bool given_up() const { return given_up_; }

 private:
  void list(const Expr& e, bool perhaps);
  bool is_used_perhaps(const Use& use, std::size_t argument) const;
  void hand_on(const Use& use, DecisionDiagram& diagram);

  NumberOf number_of_;
  std::set<Use> seen_;
  std::vector<Use> uses_;
  std::map<Use, Formula> formulas_;
  bool given_up_ = false;
};

}  // namespace strata
