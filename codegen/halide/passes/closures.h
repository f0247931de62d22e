// The bodies of parallel loops, and what is outlined, as functions of their own.
#pragma once

#include <vector>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// Replaces the parallel loops of "body" by calls of the thread pool, and what is outlined
// (outlining.h) by plain calls. Returns the functions called, named after the kernel. The order and
// the names of their captured values depend on the statement alone. The note of a loop's work
// becomes an argument of the call. A failure inside is passed on to the thread that runs the
// kernel.
std::vector<Halide::Internal::LoweredFunc> split_off_closures(HStmt& body,
                                                              const std::string& kernel,
                                                              const Halide::Target& target);

}  // namespace strata::halide
