// From modules to what machines run.
//
//   const CompiledModule model = build(module);
//   const VirtualMachine vm(model.executable, model.kernels);
//   const VmValue y = vm("main", {x});
#pragma once

#include <map>
#include <string>

#include "graph/ir/module.h"
#include "graph/run/run.h"
#include "graph/vm/machine.h"

namespace strata::graph {

using KernelFunctions = VirtualMachine::Functions;

struct BuildOptions {
  // As RunOptions::by.
  RunBy by = RunBy::kernels;
};

struct CompiledModule {
  Executable executable;
  KernelFunctions kernels;
  Module lowered;  // what the code is of
};

// Fuses, by the passes that the current context enables of ToDataflow, FoldConstant,
// EliminateCommonSubexpr, CombineParallelProducts, ChooseLayouts, each followed by FoldConstant,
// and FuseByBytes; lowers (build/passes.h); and compiles. The functions of the executable are the
// graph functions of the module.
//
// Errors: E0601 the module breaks a rule, or calls a packed function that has the name of a global;
// those of the passes; and those of compile, with the names of kernels.
CompiledModule build(const Module& module, const BuildOptions& options = {},
                     const Where& where = Where::here());

}  // namespace strata::graph
