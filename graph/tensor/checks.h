// What makers of operations check.
#pragma once

#include <string>

#include "core/error.h"
#include "graph/tensor/exprs.h"

namespace strata::graph {

// E0105 if the name is no identifier.
void require_name(const std::string& name, const Request& request);
// The shape in normal form; E0602 if an extent is no dim (graph/dim/dim.h), or a negative number.
Shape checked_shape(const Shape& shape, const Request& request);

}  // namespace strata::graph
