// Kernels of many loops as several functions.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// The loop over the one iteration of what becomes a function of its own: split_off_closures
// (closures.h) replaces it by a call.
bool is_outlined(const std::string& variable);

// LLVM's time grows with the square of the loops and failures of a function. So once a function of
// the kernel has had some loops, what follows them is one of its own, and so on:
//
//     S1; ..; S32; S33; ..; S70   ~>   kernel: S1; ..; S32; f()    f: S33; ..; S64; g()    g: ..
//
// Memory that is allocated in one of them and freed in another one is reached through its owner, a
// pointer on the stack of the former (runtime/owned.c). Loops stay whole.
HStmt with_rests_outlined(const HStmt& body);

}  // namespace strata::halide
