// From tensor expressions to Functions, which are scheduled and compiled.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/tensor/tensor.h"
#include "strata/strata.h"

namespace strata::graph {

// A Function whose kernel computes tensors.
struct TensorFunction {
  Function function;
  std::vector<Buffer> arguments;  // the buffers of the tensors, in order
  // The kernel's parameters, in order: their names, and the dims that give their values.
  std::vector<std::pair<std::string, Expr>> parameters = {};
  std::map<Tensor, Computation> computations = {};  // of the tensors that it computes
};

// The tensors, in order, become the buffer arguments: the kernel reads placeholders, and computes
// the others. Tensors in between become computations. Symbols become parameters, in the order in
// which they first occur in the arguments and then in bodies. A value that is not affine in the
// symbols, n * m, becomes a parameter of its own, m_n. Extents are assumed to be at least 0. A
// running reduction is a recurrence (compile/running.h).
//
// Errors: E0602 the kernel reads a tensor from outside that is not given; E0117 one of the tensors
// is external; and those of Function::input and Function::computation, with the line where the
// tensor was made, such as E0113 for a read outside of a shape.
TensorFunction create_function(const std::string& name, const std::vector<Tensor>& tensors,
                               const Where& where = Where::here());
// The same, but the kernel reads the tensors in "given", which need not be placeholders.
TensorFunction create_function(const std::string& name, const std::vector<Tensor>& tensors,
                               const std::vector<Tensor>& given,
                               const Where& where = Where::here());

}  // namespace strata::graph
