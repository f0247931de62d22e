// Formulas over conditions c_0, c_1, .. as reduced ordered binary decision diagrams (Bryant, IEEE
// Trans. Computers 35(8), 1986): one node per formula, so "c or not c" is the formula true.
#pragma once

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace strata {

class DecisionDiagram {
 public:
  using Formula = int;  // an index into nodes_
  static constexpr Formula never = 0, always = 1;

  // c ? high : low; neither depends on c_0, .., c.
  struct Node {
    int condition;
    Formula low, high;
  };

  // c, or not c.
  Formula literal(int condition, bool holds) {
    return holds ? node(condition, never, always) : node(condition, always, never);
  }
  Formula both(Formula a, Formula b) { return combined(a, b, never, always, false); }
  Formula either(Formula a, Formula b) { return combined(a, b, always, never, true); }

  const Node& operator[](Formula f) const { return nodes_[std::size_t(f)]; }
  std::size_t size() const { return nodes_.size(); }

 private:
  Formula node(int condition, Formula low, Formula high);
  // The result is "absorbing" if one operand is, and the other operand if one is "neutral".
  Formula combined(Formula a, Formula b, Formula absorbing, Formula neutral, bool is_or);

  static constexpr int leaf_condition = 1 << 30;
  std::vector<Node> nodes_{{leaf_condition, never, never}, {leaf_condition, always, always}};
  std::map<std::tuple<int, Formula, Formula>, Formula> unique_;
  std::map<std::tuple<bool, Formula, Formula>, Formula> known_;
};

}  // namespace strata
