// Programs that only run what was built: executables, and the machine that runs them.
//
//   const VirtualMachine vm(Executable::load_file("model.vm"));
//   const VmValue y = vm("main", {x});
//
// What includes this links Strata::vm alone: no compiler, no isl, no Halide (docs/machine.md).
#pragma once

#include "graph/vm/builtins.h"
#include "graph/vm/exec_builder.h"
#include "graph/vm/executable.h"
#include "graph/vm/machine.h"
#include "graph/vm/ndarray.h"
#include "graph/vm/registry.h"
#include "graph/vm/value.h"
