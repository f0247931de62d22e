// What makers of operations check.
#pragma once

#include <string>

#include "core/error.h"
#include "graph/tensor/exprs.h"

namespace strata::graph {

// E0105 unless the name is an identifier, "what" of which it is the name.
void require_name(const std::string& name, const std::string& what, const Request& request);
// The shape in normal form. E0602 unless each extent is a dim (graph/dim/dim.h), and not negative.
Shape checked_shape(const Shape& shape, const Request& request);

}  // namespace strata::graph
