#include "core/expr/linear_terms.h"

#include <unordered_map>

namespace strata {

namespace {

class Gathering {
 public:
  explicit Gathering(const TermsOf& terms_of) : terms_of_(terms_of) {}

  bool wrapped() const { return wrapped_; }

  std::vector<LinearTerm> operator()(const Expr& e, std::uint64_t factor) {
    nodes_[list(e)].factor = factor;
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node)
      for (const auto& [place, times] : node->terms)
        add_product(nodes_[place].factor, node->factor, times);
    std::vector<LinearTerm> atoms;
    for (const Node& node : nodes_)
      if (node.terms.empty() && node.factor != 0) atoms.push_back({node.e, node.factor});
    return atoms;
  }

 private:
  struct Node {
    Expr e;
    std::vector<std::pair<std::size_t, std::uint64_t>> terms;
    std::uint64_t factor = 0;
  };

  void add_product(std::uint64_t& sum, std::uint64_t a, std::uint64_t b) {
    std::int64_t product = 0, result = 0;
    wrapped_ |= __builtin_mul_overflow(std::int64_t(a), std::int64_t(b), &product);
    wrapped_ |= __builtin_add_overflow(std::int64_t(sum), product, &result);
    sum = std::uint64_t(result);
  }

  // The position of "e" in the list, where the terms of a node precede it.
  std::size_t list(const Expr& e) {
    const auto known = sums_.find(e.identity());
    if (known != sums_.end()) return known->second;
    Node node{e, {}};
    for (const LinearTerm& term : terms_of_(e)) node.terms.emplace_back(list(term.e), term.factor);
    if (!node.terms.empty()) sums_.emplace(e.identity(), nodes_.size());
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  const TermsOf& terms_of_;
  bool wrapped_ = false;
  std::vector<Node> nodes_;
  std::unordered_map<const ExprNode*, std::size_t> sums_;
};

bool is_constant(const Expr& e) { return e.op() == Op::constant && e.type() == i64; }

}  // namespace

std::vector<LinearTerm> linear_terms(const Expr& e, std::uint64_t factor, const TermsOf& terms_of,
                                     bool* wrapped) {
  Gathering gathering(terms_of);
  const std::vector<LinearTerm> terms = gathering(e, factor);
  if (wrapped) *wrapped = *wrapped || gathering.wrapped();
  return terms;
}

std::vector<LinearTerm> terms_of_sum(const Expr& e) {
  constexpr std::uint64_t one = 1, minus_one = ~std::uint64_t{0};
  const auto& args = e.args();
  switch (e.op()) {
    case Op::add: return {{args[0], one}, {args[1], one}};
    case Op::sub: return {{args[0], one}, {args[1], minus_one}};
    case Op::negate: return {{args[0], minus_one}};
    case Op::mul:
      if (is_constant(args[0])) return {{args[1], std::uint64_t(args[0].node().integer)}};
      if (is_constant(args[1])) return {{args[0], std::uint64_t(args[1].node().integer)}};
      return {};
    default: return {};
  }
}

}  // namespace strata
