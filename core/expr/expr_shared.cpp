#include "core/expr/expr_shared.h"

#include <algorithm>
#include <unordered_map>

#include "core/expr/expr_parts.h"

namespace strata {

namespace {

struct Seen {
  Expr e;
  int uses = 0;
  int size = 1;  // nodes of its tree, counted up to one more than the largest repeated one
};

}  // namespace

std::vector<Expr> parts_to_name(const Expr& whole) {
  std::vector<Seen> all;
  std::unordered_map<const ExprNode*, std::size_t> place;
  visit(whole, [&](const Expr& e) {
    Seen node{e};
    const auto use = [&](const Expr& part) {
      Seen& used = all[place.at(part.identity())];
      ++used.uses;
      node.size = std::min(node.size + used.size, largest_repeated_tree + 1);
    };
    for (const Expr& bound : bounds_of(e.node())) use(bound);
    for (const Expr& arg : e.args()) use(arg);
    place.emplace(e.identity(), all.size());
    all.push_back(node);
  });
  std::vector<Expr> named;
  if (all.empty() || all.back().size <= largest_repeated_tree) return named;
  for (const Seen& node : all)
    if (node.uses > 1 && node.size > largest_unnamed_part) named.push_back(node.e);
  return named;
}

}  // namespace strata
