// Merges equal parts of expressions into one node.
#pragma once

#include <unordered_map>

#include "core/expr/expr.h"
#include "core/expr/expr_memo.h"

namespace strata {

// Substituting a part into several places of an expression copies it: after n such steps there can
// be 2^n nodes, few of them different.
class Sharing {
 public:
  // The same value with equal parts (core/expr/expr.h) merged into one node, including parts of
  // earlier calls. Sums of iterators and parameters are gathered first, so that a((x + 1) - 1) is
  // a(x): modulo 2^64 these are equal for every x.
  Expr operator()(const Expr& e);

 private:
  Expr shared_node(const Expr& e);
  Expr gathered(const Expr& e);
  bool is_index(const Expr& e);

  std::unordered_multimap<std::size_t, Expr> nodes_;
  Memo<bool> indices_;
};

}  // namespace strata
