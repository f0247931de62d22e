// The kernels of lowered modules, as functions that machines call.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/build/build.h"
#include "graph/ir/module.h"
#include "graph/run/compute.h"

namespace strata::graph {

// One for each kernel, primitive and dispatched function of the module, by its name. It gets the
// arrays that the kernel reads, those that it writes, and shapes with the values of symbols.
// Without arrays to write it returns the results. Compiles kernels side by side; their errors.
KernelFunctions kernels_of(const Module& module, const BuildOptions& options, const Where& where);

// A kernel or primitive function of a module, compiled for arrays of all extents.
struct ModuleKernel {
  TensorKernel given;                // as in the module
  std::vector<std::string> symbols;  // those whose values calls give in shapes
  CompiledKernel compiled;
};
// All of a lowered module, by their names, compiled as kernels_of compiles them.
std::map<std::string, ModuleKernel> module_kernels(const Module& module, const Where& where);

}  // namespace strata::graph
