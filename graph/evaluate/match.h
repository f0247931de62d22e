// The values of symbols, from the arrays that tensors are given.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/dim/dim.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

struct Argument {
  Tensor tensor;
  NDArray array;
};

// An extent that is a plain symbol defines the symbol, unless "symbols" has it already. Then all
// extents are compared. E0602 if a type, a number of dimensions or an extent differs.
void match(const std::vector<Argument>& arguments, SymbolValues& symbols, const Request& request);

// The values of the dims. E0602 if a symbol has no value, or an extent is negative or beyond int64.
std::vector<std::int64_t> extents_of(const Tensor& tensor, const SymbolValues& symbols,
                                     const Request& request);

// E0602 if an assumption of a compute does not hold.
void require_assumptions(const Operation& op, const SymbolValues& symbols, const Request& request);

// The result of a view, in the memory of the array that it reads. E0602 if that array has another
// number of elements.
NDArray view_of(const std::shared_ptr<const Operation>& op, const NDArray& read,
                const SymbolValues& symbols, const Request& request);

// The array that holds a tensor.
using ArrayOf = std::function<const NDArray&(const Tensor&)>;

// The results of an external operation. They are matched with its outputs, so symbols of their
// shapes become known. E0602 as for match, and for a wrong number of results.
std::vector<NDArray> call_external(const std::shared_ptr<const Operation>& op,
                                   const ArrayOf& array_of, SymbolValues& symbols,
                                   const Request& request);

}  // namespace strata::graph
