#include "core/expr/expr_sharing.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "core/expr/expr_parts.h"
#include "core/expr/linear_sum.h"

namespace strata {

namespace {

// For a node with shared parts: equal nodes have equal hashes.
std::size_t hash_of(const ExprNode& node) {
  std::size_t hash = std::size_t(node.op) * 31 + std::size_t(node.type);
  const auto mix = [&](std::size_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15u + 1; };
  mix(std::hash<std::string>()(node.name));
  mix(std::hash<const void*>()(node.owner.get()));
  mix(std::size_t(node.integer));
  mix(std::bit_cast<std::uint64_t>(node.real));
  for (const Expr& arg : node.args) mix(std::hash<const void*>()(arg.identity()));
  for (const Expr& bound : bounds_of(node)) mix(std::hash<const void*>()(bound.identity()));
  return hash;
}

bool is_sum(const Expr& e) {
  return e.type() == i64 &&
         (e.op() == Op::add || e.op() == Op::sub || e.op() == Op::negate || e.op() == Op::mul);
}

}  // namespace

Expr Sharing::operator()(const Expr& e) {
  return rewrite(e, [&](const Expr& node) {
    return is_sum(node) && is_index(node) ? gathered(node) : shared_node(node);
  });
}

Expr Sharing::shared_node(const Expr& e) {
  const std::size_t hash = hash_of(e.node());
  const auto [first, last] = nodes_.equal_range(hash);
  const auto known = std::find_if(first, last, [&](const auto& other) {
    return same(other.second, e) && other.second.node().owner == e.node().owner;
  });
  return known != last ? known->second : nodes_.emplace(hash, e)->second;
}

Expr Sharing::gathered(const Expr& e) {
  LinearSum sum;
  sum.gather(e, 1, terms_of_sum);
  const Expr result = sum.wrapped ? e : expression(sum);
  return rewrite(result, [&](const Expr& node) { return shared_node(node); });
}

bool Sharing::is_index(const Expr& e) {
  return indices_(e, [&] {
    const bool data = e.op() == Op::access || e.op() == Op::load || e.op() == Op::array ||
                      e.op() == Op::call || e.op() == Op::reduce;
    return !data && std::all_of(e.args().begin(), e.args().end(),
                                [&](const Expr& arg) { return is_index(arg); });
  });
}

}  // namespace strata
