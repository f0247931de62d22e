// The entry of a kernel: checks of the arguments, and what the body calls them.
//
// Emitted code gathers numbers (parameters, bounds of what is touched, truth of assumptions) and
// hands them to one C function of the runtime, strata_check_arguments, which compares and writes
// the message; so the code stays small and all kernels agree on the texts.
#pragma once

#include <functional>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// Names of the arguments inside the emitted function.  All names of ours start with a word: an
// author's t5 must not come between Halide's own t4 and t6 where its passes order by name.
std::string symbol_of_parameter(const std::string& name);
std::string symbol_of_buffer(const std::string& name);

// The names of all parameters: those of the C function, then those read from its arguments.
std::vector<std::string> scalars_of(const Kernel& kernel);

// The statement made by "body" where the argument is known under the name "symbol".
HStmt with_element(const ArgumentBuffer& argument, const std::string& symbol,
                   const std::function<HStmt(const Scope&)>& body);

// The parameters that are read from arguments, the call of the checks, and a return of their code
// if it is not 0, before "body".
HStmt with_checks(const Kernel& kernel, const HStmt& body);

// What parameters and buffers mean in the body.  Under "dense" the innermost stride is the
// constant 1, which is_dense() has found true.
Scope scope_of_arguments(const Kernel& kernel, const Abilities& abilities, bool dense);

// Is the innermost dimension of every buffer dense?
HExpr is_dense(const Kernel& kernel);

// The pointers, strides and origins that scope_of_arguments speaks of, around "body".
HStmt with_arguments(const Kernel& kernel, const HStmt& body);

}  // namespace strata::halide
