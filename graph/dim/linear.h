// Dims as quasi-affine expressions.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/dim/dim.h"
#include "graph/dim/polynomial.h"

namespace strata::graph {

// What is not affine in a dim, n * m or n / m, becomes a symbol of its own, the same one wherever
// the same product or quotient occurs.
class Linear {
 public:
  // Names the symbol for a value: n_m for m * n.
  using NameOf = std::function<std::string(const Expr&)>;
  explicit Linear(NameOf name_of) : name_of_(std::move(name_of)) {}

  Expr dim(const Expr& e);
  // A comparison of dims, or a conjunction; undefined where it is neither.
  Expr condition(const Expr& e);
  // The dim in the author's symbols.
  Expr expanded(const Expr& e) const;

 private:
  Expr atom(const Expr& e);
  Expr symbol(const Expr& value);

  NameOf name_of_;
  std::map<std::string, std::string> names_;  // the text of a value -> its symbol
  std::map<std::string, Expr> values_;        // a symbol -> its value
};

}  // namespace strata::graph
