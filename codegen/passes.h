// Our own passes on the loop tree, before a back end gets it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/loop_tree.h"

namespace strata {

struct Pass {
  std::string name;
  std::function<Kernel(const Kernel&)> run;
  std::string why;  // it stands here in the order
};

const std::vector<Pass>& passes();

// Runs them all.  Environment variable STRATA_DUMP: the name of a pass, or "all": writes the
// kernel after it to the standard error stream; "loops" is the tree before the first pass.
Kernel run_passes(const Kernel& kernel);

}  // namespace strata
