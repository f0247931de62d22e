// Runs modules binding by binding. This defines what programs mean.
#pragma once

#include <string>
#include <vector>

#include "graph/ir/module.h"
#include "graph/vm/value.h"

namespace strata::graph {

// How operators and kernels are computed: compiled for this process, or by the interpreter of
// evaluate/evaluate.h, which shares no code with kernels.
enum class RunBy { kernels, interpreter };

// A value of "specialise" that usually pays.
constexpr double usual_share = 0.05;

struct RunOptions {
  RunBy by = RunBy::kernels;
  // Constant extents above 16 become parameters of kernels, so that equal layers of other sizes
  // share kernels. But an operator or group of constant extents with more than this share of the
  // run's operations gets a kernel of its own, with its extents as constants. Such a kernel takes
  // up to 10 % less time. usual_share is a good value.
  double specialise = 1;
};

// The result of the graph function. It shares no memory with constants of the program. run checks
// arguments and results against the stated types, and match_shape. It finds packed functions that
// register_packed has registered (vm/registry.h).
//
// Errors, with the line of the binding: E0601 the module has no such function, or nobody registered
// a packed one; E0602 a value does not fit, with the extent and both numbers; E0901 calls are
// nested more than 1000 deep, or calls and branches more than 2500; those of compile and evaluate;
// and what a packed function throws.
VmValue run(const Module& module, const std::string& function,
            const std::vector<VmValue>& arguments, const RunOptions& options = {},
            const Where& where = Where::here());
inline VmValue run(const Module& module, const std::string& function,
                   const std::vector<VmValue>& arguments, RunBy by,
                   const Where& where = Where::here()) {
  return run(module, function, arguments, RunOptions{by}, where);
}

}  // namespace strata::graph
