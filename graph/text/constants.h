// The constants of a module, numbered.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// Arrays by number, in the order of their first occurrence; each node has one number.
class Constants {
 public:
  int number_of(const Value& constant);
  const std::vector<NDArray>& arrays() const { return arrays_; }

 private:
  std::unordered_map<const ValueNode*, int> numbers_;
  std::vector<NDArray> arrays_;
};

// The first "count" elements of an array, as expressions.
std::vector<Expr> elements_of(const NDArray& array, std::size_t count);
// Does the text list the elements? Not for larger arrays, and not if the text would lose bits, like
// those of an unusual NaN.
bool is_listed(const NDArray& array);

// The hash of the bytes of an array, as text.
std::string hash_text(const NDArray& array);

// "2.0f32", "int64(2)": parses back by itself and as the first field of a tuple.
std::string scalar_text(const NDArray& scalar, bool is_field);

}  // namespace strata::graph
