// Functions that emitted C code calls: what C's operators do not mean, or leave undefined.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata::c {

// The helpers that a text needs, each once, in the order in which it first needs them.
class Helpers {
 public:
  // Each returns the name of a function. On integers of "type": floor division and its remainder
  // (0 by 0), shifts by any count, the absolute value; on any: the smaller and the larger one.
  std::string operation(Op op, Type type);
  // From a float to the integer "to": truncated, saturated, NaN is 0.
  std::string integer_from_float(Type to);
  // Between a 16-bit float's bits and float.
  std::string widened(Type half);
  std::string narrowed(Type half);
  // A double, or a 64-bit integer, as a float rounded to odd: rounding that to 8 or 11 bits is
  // right.
  std::string odd_from_double();
  std::string odd_from_integer(Type integer);
  // "index", or "lower" where it is not in [lower, upper); then it is noted.
  std::string checked();
  // The type of "count" values, a power of two, at any address.
  std::string vector_type(Type type, int count);
  // Such a vector of one value.
  std::string vector_of(Type type, int count);
  // The smaller or larger ones of the values of two such vectors.
  std::string vector_extremum(Op op, Type type, int count);

  // Their definitions.
  std::string text() const;

 private:
  std::string add(const std::string& name, const std::string& definition);

  std::vector<std::string> order_;
  std::map<std::string, std::string> definitions_;
};

}  // namespace strata::c
