#include "core/expr/decision_diagram.h"

#include <algorithm>

namespace strata {

DecisionDiagram::Formula DecisionDiagram::node(int condition, Formula low, Formula high) {
  if (low == high) return low;
  const auto [place, is_new] =
      unique_.emplace(std::tuple(condition, low, high), Formula(nodes_.size()));
  if (is_new) nodes_.push_back({condition, low, high});
  return place->second;
}

DecisionDiagram::Formula DecisionDiagram::combined(Formula a, Formula b, Formula absorbing,
                                                   Formula neutral, bool is_or) {
  if (a == absorbing || b == absorbing) return absorbing;
  if (a == neutral || a == b) return b;
  if (b == neutral) return a;
  if (a > b) std::swap(a, b);
  const auto key = std::tuple(is_or, a, b);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const Node left = (*this)[a], right = (*this)[b];
  const int condition = std::min(left.condition, right.condition);
  const auto side = [&](bool high) {
    const auto of = [&](Formula f, const Node& n) {
      return n.condition != condition ? f : high ? n.high : n.low;
    };
    return combined(of(a, left), of(b, right), absorbing, neutral, is_or);
  };
  const Formula low = side(false), high = side(true);
  return known_[key] = node(condition, low, high);
}

}  // namespace strata
