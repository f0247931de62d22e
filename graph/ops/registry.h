// Operators by name.
//
//   Tensor dense(const Tensor& x, const Tensor& w);
//   const Registered row{"dense", {"x", "w"}, dense};
//
// An operator is one function from tensors to tensors. Its types, its extents, what it computes
// and how it may be fused follow from the tensor expression that it makes, so nothing else is said.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/error.h"
#include "graph/operator/operator.h"

namespace strata::graph {

// E0603 for an unknown name, with the nearest known one.
const Operator& find_operator(const std::string& name, const Where& where = Where::here());
std::vector<std::string> operator_names();
// Registers an operator. It never replaces another one: E0104 if the name is taken. E0105 if the
// name is not an identifier.
void register_operator(Operator row, const Where& where = Where::here());

struct Registered {
  template <typename F>
  Registered(std::string name, std::vector<std::string> arguments, F function,
             const Where& where = Where::here()) {
    register_operator(
        operator_of(std::move(name), std::move(arguments), std::function(std::move(function))),
        where);
  }
};

}  // namespace strata::graph
