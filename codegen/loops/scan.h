// isl's AST generation for one loop.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/sets/relation.h"

namespace strata {

// The parameter that stands for t<depth> in sets and isl expressions.
std::string iterator_name(int depth);
// [t0, .., t(n-1)], n the dimension of "times".
isl::multi_id iterator_tuple(const isl::set& times);
// { : [t0, .., t(n-1)] in times }, the iterators parameters.
isl::set bound(const isl::set& times);
// { : some t<depth> is in "set" }, the iterators being parameters.
isl::set without_iterator(const isl::set& set, int depth);
// What "set" implies beyond "context", in the fewest constraints: min(8, N - 8i) is N - 8i where
// the context has N < 8i + 8.
isl::set beyond(const isl::set& set, const isl::set& context);

// The pieces of { : [t0, .., t<depth>] runs }, each with all its t<depth> before those of the next,
// whatever t0, .., t<depth-1>; nothing if no order of them is known. isl's time for a loop grows
// with the square of its pieces, and it is faster piece by piece.
std::optional<std::vector<isl::set>> pieces_in_order(const isl::set& iterations, int depth,
                                                     const isl::set& context);

// The name of the iterator of an isl loop inside its expressions.
std::string iterator_of(const isl::ast_node_for& loop);

// The AST that isl generates for one loop.
struct LoopAst {
  isl::ast_node root;
  std::vector<isl::set> pieces;  // pieces[n] = { [t<depth>] : user node n runs it }
  bool without_context = false;  // is there one piece, made without the context?
};

// Cache of generated loops: copies of a tile have many loops in common.
class LoopAsts {
 public:
  // "remaining" = { [t] : .. } is what does not follow from "context"; its parameters have the
  // names of the author and of iterator_name.
  const LoopAst& of(const isl::set& remaining, const isl::set& context, bool one_piece);

 private:
  struct Known {
    isl::set remaining, context;
    bool one_piece;
    LoopAst ast;
  };
  std::multimap<std::uint32_t, Known> known_;  // by the hash of "remaining"
};

class Scan {
 public:
  // The loop over t<depth> in "iterations" = { : [t0, .., t<depth>] runs }, where "context" holds.
  // "one_piece": makes one loop with guards inside, where isl would make several loops without
  // guards.
  Scan(LoopAsts& asts, const isl::set& iterations, int depth, const isl::set& context,
       bool one_piece);

  const isl::ast_node& root() const { return ast_->root; }
  // At a user node: the value of t<depth>, and the context with what is known about it.
  isl::ast_expr iterator_at(const isl::ast_node& user) const;
  isl::set context_at(const isl::ast_node& user) const;
  // The set { : the loop's own checks hold }. They hold even where "context" does not.
  isl::set checked_at(const isl::ast_node& user) const;

 private:
  const isl::set& piece(const isl::ast_node& user) const;

  isl::set context_;
  isl::multi_id iterator_;  // [t<depth>]
  const LoopAst* ast_;
};

}  // namespace strata
