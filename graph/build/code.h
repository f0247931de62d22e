// Code for the machine.
#pragma once

#include "graph/ir/module.h"
#include "graph/vm/executable.h"

namespace strata::graph {

// The executable of a module that all lowering passes have seen, with a function for each graph
// function that is not a kernel. E0601 if something is left that the machine has no instruction
// for.
Executable code_of(const Module& module);

}  // namespace strata::graph
