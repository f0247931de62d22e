// The entry of a kernel: checks of the arguments, and their names in the body.
//
// The facts of codegen/entry/facts.h go to strata_check_arguments of the runtime.
#pragma once

#include <functional>
#include <set>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// Names of the arguments inside the emitted function. All of Strata's names start with a word: an
// author's t5 must not come between Halide's own t4 and t6, since some of its passes order by name.
std::string symbol_of_parameter(const std::string& name);
std::string symbol_of_buffer(const std::string& name);  // and of a scalar

// A scalar in C's calling convention: 16-bit floats are passed as float32, booleans as bytes.
HType type_in_call(Type type);

// Calls "body" with a scope of this argument alone. Defines "symbol" as the argument's data pointer
// around the result.
HStmt with_element(const ArgumentBuffer& argument, const std::string& symbol,
                   const std::function<HStmt(const Scope&)>& body);

// Before "body": reads the parameters that come from arguments, calls the checks, and returns their
// code if it is not 0. Resident arguments must be on a device of the kernel's API. E0502 if a
// launch has more blocks than the limits allow.
HStmt with_checks(const Kernel& kernel, const Abilities& abilities, const HStmt& body);

// The meaning of parameters and buffers in the body. With "dense" the innermost stride is the
// constant 1; that is only for code under is_dense().
Scope scope_of_arguments(const Kernel& kernel, const Abilities& abilities, bool dense);

// True if the innermost dimension of every buffer is dense.
HExpr is_dense(const Kernel& kernel);

// True if all elements of these buffers are at positions in [0, 2^31) and indices in [-2^30, 2^30)
// (emit/short_positions.h).
HExpr are_small(const Kernel& kernel, const std::set<std::string>& buffers);

// Defines the pointers, strides and offsets used by scope_of_arguments, around "body".
HStmt with_arguments(const Kernel& kernel, const HStmt& body);

}  // namespace strata::halide
