// The arithmetic of expressions on single values, as core/expr/expr.h defines it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/expr/expr.h"
#include "graph/vm/ndarray.h"

namespace strata::graph {

strata_type element_type_of(Type type);

// A value: of integers and booleans the lowest bits are "integer", extended to 64 by their sign
// (zeros for unsigned ones); floats are in "real", rounded to their type.
struct Element {
  Type type = i64;
  std::int64_t integer = 0;
  double real = 0;
};

Element integer_element(Type type, __int128 value);  // wrapped
Element real_element(Type type, double value);       // rounded
Element element_of(const ExprNode& constant);
Expr constant_of(const Element& value);
Element cast_element(Type type, const Element& a);
// The operation of an Expr of this type; a unary one ignores "b".
Element applied(Op op, Type type, const Element& a, const Element& b);

// The element of an array of "type" at a position.
Element read(const NDArray& array, Type type, std::size_t position);
void write(const NDArray& array, std::size_t position, const Element& value);

}  // namespace strata::graph
