// The arguments of a kernel as its launches see them.
//
// Each argument that a launch touches gets a descriptor of the kernel's own, on the stack, of the
// box that the kernel touches:
//
//     first_d = lower_d, or upper_d - 1 where the stride s_d is negative
//     host' = the address of element first,   extent'_d = upper_d - lower_d,   stride'_d = |s_d|
//
// So the caller's structure is never written, callers may share inputs among threads, elements
// beside the box keep their values, and a failure leaves nothing behind.  Device memory is taken
// and freed by each call; the loop tree says what is copied (DeviceCopy).  On the device element i
// is at  sum_d (i_d - first_d) s_d,  which counts up from 0.  Of a resident argument launches get
// the caller's structure, whose flags are set when all is done.
#pragma once

#include <set>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The arguments that launches touch.
std::set<std::string> on_device(const Kernel& kernel);

// What launches see of the arguments in "scope", which is scope_of_arguments(..).
std::map<std::string, BufferView> device_views(const Kernel& kernel, const Scope& scope);

// Around "body": the descriptors and their memory.  Nothing is done if no element of an argument is
// written.  "body" is inside of the mark that passes/offload.h looks for.
HStmt with_device_side(const Kernel& kernel, const Scope& scope, const HStmt& body);

}  // namespace strata::halide
