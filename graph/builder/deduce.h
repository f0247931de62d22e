// The extents that parameters must have, from how they are used.
#pragma once

#include "graph/ir/module.h"

namespace strata::graph {

// The function, in which parameters of unknown extents get the extents that its operators need. The
// search goes from the end to the beginning. If an operator reads each element of its result from
// the same place of an argument, the argument has the extents of the result, or of another argument
// that must have equal extents:
//
//   def @before(%x: Tensor[_, float32], %y: Tensor[(m, n), float32]):  log(%x), then a sum with %y
//
// gives %x the extents (m, n) if the sum takes equal extents only. A sum that broadcasts tells
// nothing about %x. Extents are deduced only over symbols that other parameters define.
GraphFunction with_deduced_parameters(const GraphFunction& function, const Module& module,
                                      const Where& where = Where::here());

}  // namespace strata::graph
