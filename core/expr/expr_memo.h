// Walks over expressions that ask each node once.
//
// An expression is a dag, in which there can be exponentially more paths than nodes: 60 squarings
// have 60 nodes and 2^60 paths.  Whoever recurses over arguments keeps a Memo, or goes by visit or
// rewrite, and so takes a time that is linear in the nodes.
#pragma once

#include <unordered_map>
#include <utility>

#include "core/expr/expr.h"

namespace strata {

// Answers about nodes, which it keeps alive: no other node takes the place of one in memory.
template <typename Answer>
class Memo {
 public:
  // The answer about "e": find(), which is asked once and may ask about parts of "e".
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
