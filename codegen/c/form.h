// Which form the loops of a text take.
#pragma once

#include "core/machine/machine.h"

namespace strata::c {

// Who runs a parallel loop: OpenMP, which reads best, or the threads of strata_runtime.
enum class Threads { openmp, runtime };

struct Form {
  // The bytes of vectors, in the extensions of GCC and Clang; 0: plain loops over the lanes, for a
  // compiler to vectorize.
  int vector_bytes = 64;
  Threads threads = Threads::openmp;
  Machine machine;    // on which parallel loops have enough work for threads or not
  bool dense = true;  // does the last dimension of each argument have the stride 1?
};

}  // namespace strata::c
