// Kernels as a file of C.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata::c {

struct SourceOptions {
  // The bytes of vectors, in the extensions of GCC and Clang; 0: plain loops over the lanes.
  int vector_bytes = 64;
};

// C11, which needs nothing but the functions of strata_runtime: a function for each kernel, as
// c_header declares it, and for callers in process NAME_argv, which takes a list of pointers to
// numbers and of buffers. Parallel loops are OpenMP's. The exact float mode asks for the option
// -ffp-contract=off. E0502: what no CPU has, and what codegen/entry/contract.h refuses.
std::string source(const std::vector<Kernel>& kernels, const SourceOptions& options);

}  // namespace strata::c
