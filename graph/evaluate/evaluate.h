// A plain interpreter of tensors over host arrays: what kernels are compared with. It shares no
// code with them.
#pragma once

#include <vector>

#include "graph/evaluate/match.h"

namespace strata::graph {

// The elements of the tensors. The arguments are the arrays of the placeholders behind them.
// "symbols" gives the values of symbols that are not by themselves an extent of an argument.
// Errors: E0602 placeholders without fitting arrays, E0113 an index out of bounds, E0117 a call of
// a C function.
std::vector<NDArray> evaluate(const std::vector<Tensor>& tensors,
                              const std::vector<Argument>& arguments,
                              const SymbolValues& symbols = {}, const Where& where = Where::here());

}  // namespace strata::graph
