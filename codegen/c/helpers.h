// Functions that emitted C code calls, for operations that C's operators do not have or leave
// undefined.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata::c {

// The helpers that a text needs, each once, in the order in which it first needs them.
class Helpers {
 public:
  // Each of these returns the name of a function. On integers of "type": floor division and its
  // remainder (x by 0 is 0), shifts by any count, and the absolute value. On any type: minimum and
  // maximum.
  std::string operation(Op op, Type type);
  // From a float to the integer "to": truncated, saturated, NaN is 0.
  std::string integer_from_float(Type to);
  // Between a 16-bit float's bits and float.
  std::string widened(Type half);
  std::string narrowed(Type half);
  // A double, or a 64-bit integer, as a float rounded to odd: to round that again to 8 or 11 bits
  // is as exact as to round once.
  std::string odd_from_double();
  std::string odd_from_integer(Type integer);
  // "index"; if it is not in [lower, upper), the function notes it and returns "lower".
  std::string checked();
  // The type of "count" values, a power of two, at any address.
  std::string vector_type(Type type, int count);
  // Such a vector with one value in all lanes.
  std::string vector_of(Type type, int count);
  // The minimum or maximum of two such vectors, lane by lane.
  std::string vector_extremum(Op op, Type type, int count);

  // The definitions of these functions and types.
  std::string text() const;

 private:
  std::string add(const std::string& name, const std::string& definition);

  std::vector<std::string> order_;
  std::map<std::string, std::string> definitions_;
};

}  // namespace strata::c
