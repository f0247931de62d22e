// The passes that build runs: one before fusion, and those that lower programs for the machine.
#pragma once

#include <vector>

#include "graph/pass/pass.h"

namespace strata::graph {

// All have level 0; a second time they change nothing. They leave kernels alone (lowered.h).

// Pure bindings that stand together in a plain block become a dataflow block, where fusion sees
// them.
Pass to_dataflow();

// ---- the lowering, in this order ----

// Blocks are plain, one in each body, and their variables are local to nothing.
Pass to_non_dataflow();

// Arrays are made by builtin.alloc_tensor(shape, type), and kernels, called as packed functions,
// write to them: call_packed("k", (%x, %y, (n)), pure) has the arguments, the results and the
// integers. Views are vm.builtin.reshape. Operators that fusion has left become functions of their
// own, which choose a kernel when they run, and return their results.
Pass call_kernel_rewrite();

// Arrays that do not live at once share a storage (storage_plan.h). Where the option
// PlanMemory.whole is set, all lie in one memory (arenas.h). Attributes of a function that bound
// symbols, bound.n=20, make sizes numbers; calls with larger extents are refused then.
Pass plan_memory();

// Arrays that have no storage get one of their own.
Pass memory_lower();

// vm.builtin.kill stands right after the last use of an array or storage, also by views, unless it
// may be used from outside.
Pass kill_after_last_use();

// Extents are numbers in the slots of a heap, one slot for each dim that is needed. What functions
// take and return is checked, as is what authors have stated. match_shape stays where its symbols
// begin, after the instruction that does its work.
Pass shape_lower();

std::vector<Pass> lowering_passes();

}  // namespace strata::graph
