// The iteration domains that programs drawn by chance have.
#pragma once

#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata::fuzz {

struct Shape {
  std::string kind;  // "triangle", as statistics count it
  std::vector<Var> iterators;
  // More than the iterators' ranges say, in isl's notation, or "": "(i + j) mod 2 = 0".
  std::string further;
  // Does the element exist, whatever its indices are?
  Expr (*holds)(const std::vector<Expr>& element);

  std::size_t rank() const { return iterators.size(); }
  std::vector<std::string> names() const;
  // "[N, M] -> { name[i, j] : 0 <= i < N and .. }"
  std::string domain(const std::string& name) const;
};

// Over the parameters N and M: of one to four loops.
const std::vector<Shape>& shapes();
const Shape& shape_named(const std::string& kind);

}  // namespace strata::fuzz
