// Kernels of many loops as several functions.
#pragma once

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// True for the variable of a loop of one iteration whose body becomes a function of its own.
// split_off_closures (closures.h) replaces this loop by a call.
bool is_outlined(const std::string& variable);

// LLVM's time grows with the square of the loops and failures of a function. So after some loops of
// a function of the kernel, the rest becomes a function of its own, and so on:
//
//     S1; ..; S32; S33; ..; S70   ~>   kernel: S1; ..; S32; f()    f: S33; ..; S64; g()    g: ..
//
// Memory that one of these functions allocates and another frees is reached through its owner, a
// pointer on the stack of the former (runtime/owned.c). Loops stay whole.
HStmt with_rests_outlined(const HStmt& body);

}  // namespace strata::halide
