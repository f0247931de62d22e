// The kernels of lowered modules, as functions that machines call.
#pragma once

#include "graph/build/build.h"
#include "graph/ir/module.h"

namespace strata::graph {

// One for each kernel, primitive and dispatched function of the module, by its name. It gets the
// arrays that the kernel reads, those that it writes, and shapes with the values of symbols.
// Without arrays to write it returns the results. Compiles kernels side by side; their errors.
KernelFunctions kernels_of(const Module& module, const BuildOptions& options, const Where& where);

}  // namespace strata::graph
