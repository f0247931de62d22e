// Evaluates one expression many times, for different values of its iterators.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/dim/dim.h"
#include "graph/evaluate/element.h"
#include "graph/evaluate/match.h"

namespace strata::graph {

// The values that iterators and the operands of a reducer have now.
class Scope {
 public:
  // The place of a name. The first call makes it.
  int place_of(const std::string& name);
  const Element& value(int place) const { return values_[place]; }
  void set(int place, const Element& value) {
    values_[place] = value;
    ++time_;
  }
  // Grows with each change.
  std::uint64_t time() const { return time_; }

 private:
  std::map<std::string, int> places_;
  std::vector<Element> values_;
  std::uint64_t time_ = 1;
};

class Interpreter {
 public:
  // "scope" and what "array_of" returns live as long as the interpreter. E0117 for a call.
  Interpreter(const Expr& e, Scope& scope, const SymbolValues& symbols, const ArrayOf& array_of,
              const Request& request);

  // E0113 if an index is out of bounds. Of a select it computes only the side that it takes.
  Element operator()() { return value(int(nodes_.size()) - 1); }

 private:
  struct Node {
    Op op;
    Type type;
    std::vector<int> args = {};
    Element constant = {};
    int place = -1;  // of an iterator or operand
    const NDArray* array = nullptr;
    std::string name = {};
    std::uint64_t time = 0;  // of the scope when "constant" was computed
  };

  using Numbers = std::unordered_map<const ExprNode*, int>;
  int add(const Expr& e, Numbers& numbers);
  Node made(const Expr& e, std::vector<int> args) const;
  Element value(int n);
  Element computed(const Node& n);
  Element element(const Node& n);

  Scope& scope_;
  const SymbolValues& symbols_;
  const ArrayOf& array_of_;
  Request request_;
  std::vector<Node> nodes_;
};

}  // namespace strata::graph
