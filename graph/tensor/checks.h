// Checks for makers of operations.
#pragma once

#include <string>

#include "core/error.h"
#include "core/expr/tuple.h"
#include "graph/tensor/exprs.h"

namespace strata::graph {

// E0105 unless the name of "what" is an identifier.
void require_name(const std::string& name, const std::string& what, const Request& request);
// The shape in normal form. E0602 unless each extent is a dim (graph/dim/dim.h), and not negative.
Shape checked_shape(const Shape& shape, const Request& request);

// The value, with the authors' names for its reduced axes, made different from the iterators' names
// and from each other.
Tuple with_named_axes(Tuple value, const std::vector<Var>& iterators);

}  // namespace strata::graph
