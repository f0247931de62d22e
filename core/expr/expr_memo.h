// Traversals of expressions that visit each node once.
//
// An expression is a dag, in which there can be exponentially more paths than nodes: 60 squarings
// have 60 nodes and 2^60 paths. Recursion over arguments must use a Memo, visit or rewrite, and so
// takes time linear in the number of nodes.
#pragma once

#include <unordered_map>
#include <utility>

#include "core/expr/expr.h"

namespace strata {

// Results per node. Nodes are kept alive, so that no other node reuses the address of one.
template <typename Answer>
class Memo {
 public:
  // The result for "e": find(), called once per node; it may query parts of "e".
  template <typename Find>
  const Answer& operator()(const Expr& e, const Find& find) {
    const auto known = known_.find(e.identity());
    if (known != known_.end()) return known->second.answer;
    Answer made = find();
    return known_.emplace(e.identity(), Known{e, std::move(made)}).first->second.answer;
  }
  bool knows(const Expr& e) const { return known_.count(e.identity()) != 0; }
  void clear() { known_.clear(); }

 private:
  struct Known {
    Expr alive;
    Answer answer;
  };
  std::unordered_map<const ExprNode*, Known> known_;
};

}  // namespace strata
