// The iteration domains of random programs.
#pragma once

#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata::fuzz {

struct Shape {
  std::string kind;  // "triangle", as statistics count it
  std::vector<Var> iterators;
  // A further constraint on the iterators in isl's notation, or "": "(i + j) mod 2 = 0".
  std::string further;
  // Does the element exist, for arbitrary indices?
  Expr (*holds)(const std::vector<Expr>& element);

  std::size_t rank() const { return iterators.size(); }
  std::vector<std::string> names() const;
  // "[N, M] -> { name[i, j] : 0 <= i < N and .. }"
  std::string domain(const std::string& name) const;
};

// Shapes of one to four loops over the parameters N and M.
const std::vector<Shape>& shapes();
const Shape& shape_named(const std::string& kind);

}  // namespace strata::fuzz
