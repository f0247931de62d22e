// Equal parts of expressions as one node.
#pragma once

#include <unordered_map>

#include "core/expr/expr.h"
#include "core/expr/expr_memo.h"

namespace strata {

// What is put into several places of an expression makes copies there, and copies of copies: after
// n times 2^n nodes where there are few different ones.
class Sharing {
 public:
  // The same value, in which parts that are the same (core/expr/expr.h) are one node, also of what was
  // asked for before.  Sums of iterators and parameters are gathered first, so that a((x + 1) - 1)
  // is a(x): modulo 2^64 these are equal, whatever x is.
  Expr operator()(const Expr& e);

 private:
  Expr shared_node(const Expr& e);
  Expr gathered(const Expr& e);
  bool is_index(const Expr& e);

  std::unordered_multimap<std::size_t, Expr> nodes_;
  Memo<bool> indices_;
};

}  // namespace strata
