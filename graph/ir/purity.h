// What may be left out, moved or computed twice.
#pragma once

#include <set>
#include <string>

#include "graph/ir/module.h"

namespace strata::graph {

// The graph functions that have, or reach by calls, a packed call that is not marked as pure.
std::set<std::string> impure_functions(const Module& module);

// May the definition itself do something else than compute its value?  Not what is in a branch.
bool is_impure(const Definition& definition, const std::set<std::string>& impure_functions);

// Calls f(binding) for each binding in the body, those in branches included, in order.
void for_each_binding(const Body& body, const std::function<void(const Binding&)>& f);

}  // namespace strata::graph
