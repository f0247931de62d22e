// The extents that parameters must have, from how they are used.
#pragma once

#include "graph/ir/module.h"

namespace strata::graph {

// The function, where parameters of unknown extents have those that its operators need. They are
// found from the end to the beginning: where each element of an operator's result is read from the
// same place of an argument, the argument has the extents of the result, or those of another
// argument that the operator requires to be equal:
//
//   def @before(%x: Tensor[_, float32], %y: Tensor[(m, n), float32]):  log(%x), then a sum with %y
//
// gives %x the extents (m, n) if the sum takes equal extents only; one that broadcasts tells
// nothing of %x. Extents are deduced only over symbols that other parameters define.
GraphFunction with_deduced_parameters(const GraphFunction& function, const Module& module,
                                      const Where& where = Where::here());

}  // namespace strata::graph
