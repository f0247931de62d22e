// The arguments of a kernel as its launches see them.
//
// Each argument that a launch touches gets two descriptors of the kernel's own, on the stack, of
// the box that the kernel touches: one of the caller's elements, with the caller's strides, and one
// of device memory, where the box is dense:
//
//     position of element i  =  sum_d (i_d - lower_d) stride_d,   stride_d = prod_{e > d} extent_e
//
// So the caller's structure is never written, callers may share inputs among threads, elements
// beside the box keep their values, a failure leaves nothing behind, and what is known of positions
// on the device does not depend on the caller.  Device memory is taken and freed by each call; the
// loop tree says what is copied (DeviceCopy).  Of a resident argument launches get the caller's
// structure, whose flags are set when all is done.
#pragma once

#include <set>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The arguments that launches touch.
std::set<std::string> on_device(const Kernel& kernel);

// What launches see of the arguments in "scope", which is scope_of_arguments(..).  With
// "in_vectors" residents are known to be aligned: only for code under residents_are_aligned().
std::map<std::string, BufferView> device_views(const Kernel& kernel, const Scope& scope,
                                               bool in_vectors);

// Is every vector of 16 bytes aligned in the resident arguments that is aligned in a dense array?
HExpr residents_are_aligned(const Kernel& kernel, const Scope& scope);

// Around "body": the descriptors and their memory.  Nothing is done if no element of an argument is
// written, unless an index made of data may point into an empty array.  "body" is inside of the
// mark that passes/offload.h looks for.
HStmt with_device_side(const Kernel& kernel, const Scope& scope, const HStmt& body);

}  // namespace strata::halide
