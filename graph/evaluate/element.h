// The arithmetic of expressions on single values, as core/expr/expr.h defines it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/expr/expr.h"
#include "graph/vm/ndarray.h"

namespace strata::graph {

strata_type element_type_of(Type type);

// A value. An integer or boolean is in "integer", extended to 64 bits by its sign (by zeros if it
// is unsigned). A float is in "real", rounded to its type.
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
// Applies the operation of an Expr of this type. A unary operation ignores "b".
Element applied(Op op, Type type, const Element& a, const Element& b);

// The element of an array of "type" at a position.
Element read(const NDArray& array, Type type, std::size_t position);
void write(const NDArray& array, std::size_t position, const Element& value);

}  // namespace strata::graph
