// The types of values, from what they are bound to.
#pragma once

#include <cstdint>

#include "graph/ir/module.h"

namespace strata::graph {

// The type of the value that a definition computes. For an operator, its function runs on
// placeholders. The process remembers a bounded number of results, by operator, attributes and
// types of arguments. If extents may or may not fit, the result has unknown extents.
//
// Errors: E0601 (W5) for a callee that the module does not have; E0602 and E0603 of the operators;
// E0602 if arguments do not fit the parameters of a function.
ValueType derived(const Definition& definition, const Module& module, const Request& request);

// How often the functions of operators have been run by derived().
std::uint64_t derivations();

}  // namespace strata::graph
