// What a back end writes.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// Files to write; an empty name means that the file is not written.
struct Outputs {
  std::string object;
  std::string header;     // C, for host programs
  std::string assembly;   // for people
  std::string statement;  // Halide's text of the lowered statement, for people
};

// Kernels for one target of several.
struct Version {
  std::string target;
  std::vector<Kernel> kernels;
};

}  // namespace strata
