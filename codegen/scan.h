// isl's AST generation for one loop.
#pragma once

#include <string>
#include <vector>

#include "core/relation.h"

namespace strata {

// The parameter that stands for t<depth> in sets and isl expressions.
std::string iterator_name(int depth);
// [t0, .., t(n-1)], n the dimension of "times".
isl::multi_id iterator_tuple(const isl::set& times);
// { : [t0, .., t(n-1)] in times }, the iterators parameters.
isl::set bound(const isl::set& times);

// The name that stands for the iterator of a loop isl generated, inside its expressions.
std::string iterator_of(const isl::ast_node_for& loop);

class Scan {
 public:
  // The loop over t<depth> in "iterations" = { : [t0, .., t<depth>] runs }, where "context" holds.
  // In one piece: a single loop with guards inside, where isl would make several that have none.
  Scan(const isl::set& iterations, int depth, const isl::set& context, bool one_piece);

  const isl::ast_node& root() const { return root_; }
  // At a user node: the value of t<depth>, and the context with what is known of it.
  isl::ast_expr iterator_at(const isl::ast_node& user) const;
  const isl::set& context_at(const isl::ast_node& user) const;

 private:
  isl::ast_node annotated(const isl::ast_node& node, const isl::ast_build& build);

  isl::set context_;
  isl::multi_id iterator_;  // [t<depth>]
  std::vector<isl::set> contexts_;
  isl::ast_node root_;
};

}  // namespace strata
