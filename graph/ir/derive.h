// The types of values, from what they are bound to.
#pragma once

#include <cstdint>

#include "graph/ir/module.h"

namespace strata::graph {

// The type of what a definition computes. That of an operator follows from its function, run on
// placeholders, once for each operator, attributes and types of arguments (a bounded memory of the
// process). What may not fit, but need not, has unknown extents.
//
// Errors: E0601 (W5) a callee that the module does not have, E0602 and E0603 as the operators, and
// where arguments do not fit the parameters of a function.
ValueType derived(const Definition& definition, const Module& module, const Request& request);

// How often the functions of operators have been run by derived().
std::uint64_t derivations();

}  // namespace strata::graph
