// The bodies of parallel loops as functions of their own.
#pragma once

#include <vector>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// Replaces the parallel loops of "body" by calls of the thread pool, and returns the functions it
// calls, named after the kernel.  The order of what they capture and their names depend on the
// statement alone.  A failure inside is taken over by the thread that runs the kernel.
std::vector<Halide::Internal::LoweredFunc> split_off_closures(HStmt& body,
                                                              const std::string& kernel,
                                                              const Halide::Target& target);

}  // namespace strata::halide
