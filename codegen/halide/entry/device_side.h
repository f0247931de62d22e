// The arguments of a kernel as its launches see them.
//
// For each argument that a launch touches, the kernel makes two descriptors of the box that it
// touches, on its stack. One describes the caller's elements, with the caller's strides. The other
// describes device memory, where the box is dense:
//
//     position of element i  =  sum_d (i_d - lower_d) stride_d,   stride_d = prod_{e > d} extent_e
//
// So the caller's structure is never written, and callers may share inputs among threads. Elements
// beside the box keep their values, and a failure leaves nothing behind. What is known about
// positions on the device does not depend on the caller. Each call allocates and frees its device
// memory; the loop tree says what is copied (DeviceCopy). For a resident argument launches get the
// caller's structure, whose flags are set at the end.
#pragma once

#include <set>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The arguments that launches touch.
std::set<std::string> on_device(const Kernel& kernel);

// What launches see of the arguments in "scope", which is scope_of_arguments(..). With
// "in_vectors" residents are known to be aligned: only for code under residents_are_aligned().
std::map<std::string, BufferView> device_views(const Kernel& kernel, const Scope& scope,
                                               bool in_vectors);

// True if every vector of 16 bytes that is aligned in a dense array is aligned in the resident
// arguments.
HExpr residents_are_aligned(const Kernel& kernel, const Scope& scope);

// "body" with the descriptors and their memory around it. It runs only if an element of an argument
// is written, or if an index computed from data may point into an empty array. "body" comes after
// the mark that passes/offload.h looks for.
HStmt with_device_side(const Kernel& kernel, const Scope& scope, const HStmt& body);

}  // namespace strata::halide
