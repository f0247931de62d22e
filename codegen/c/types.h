// Types and constants in C.
#pragma once

#include <string>

#include "core/expr/expr.h"

namespace strata::c {

// The type of a value in flight: a 16-bit float is computed as float.
std::string value_type(Type type);
// The type of an element in memory: booleans are bytes, and 16-bit floats their bits.
std::string memory_type(Type type);
// The type of an argument of a C function: narrow integers are passed as int, as the other back end
// passes them.
std::string argument_type(Type type);
// "i32", "f64", ..: the suffix of helpers.
std::string suffix(Type type);
// A constant, which begins with "-" only inside parentheses.
std::string constant_text(const ExprNode& constant);
// The text of an int64.
std::string number(std::int64_t value);

}  // namespace strata::c
