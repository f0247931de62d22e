// Dims as quasi-affine expressions.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/dim/dim.h"
#include "graph/dim/polynomial.h"

namespace strata::graph {

// A part of a dim that is not affine, n * m or n / m, becomes a symbol: the same symbol for equal
// products or quotients.
class Linear {
 public:
  // Names the symbol for a value: n_m for m * n.
  using NameOf = std::function<std::string(const Expr&)>;
  explicit Linear(NameOf name_of) : name_of_(std::move(name_of)) {}

  Expr dim(const Expr& e);
  // The condition, if it is a comparison of dims or a conjunction; else undefined.
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
