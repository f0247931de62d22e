// From modules to what machines run.
//
//   const CompiledModule model = build(module);
//   const VirtualMachine vm(model.executable, model.kernels);
//   const VmValue y = vm("main", {x});
#pragma once

#include <filesystem>
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

struct LibraryOptions {
  // As CodegenOptions::target: a CPU, or a list of CPUs whose versions each kernel has.
  std::string target = "host";
  std::string backend = "";  // as CodegenOptions::backend
};

struct CompiledModule {
  Executable executable;
  KernelFunctions kernels;
  Module lowered;  // what the code is of

  // The model as a C library (docs/models.md). Makes the folder, and writes NAME.h, NAME.c,
  // NAME_kernels.a and NAME.weights. Link Strata::graph. Errors, before a file is written: E0105
  // the name is not an identifier of C; E0503 the folder; E0601 for what C cannot do: packed
  // functions, recursion, extents that depend on data, results that are not arrays; and those of
  // compile.
  void save_library(const std::filesystem::path& folder, const std::string& name,
                    const LibraryOptions& options = {}, const Where& where = Where::here()) const;
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
