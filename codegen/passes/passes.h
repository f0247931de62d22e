// Our own passes on the loop tree, before a back end gets it.
//
// Environment variables, read at every run:
//   STRATA_DUMP=NAME     writes the kernel after pass NAME to the standard error stream; "loops" is
//                        the tree before the first pass, "all" every one
//   STRATA_TIME=1        writes the milliseconds of each stage of lowering there
//   STRATA_VERIFY=1      holds the tree against its rules (codegen/tree/verify_loop_tree.h) after each
//                        pass; E0502 where one is broken
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"

namespace strata {

struct Pass {
  std::string name;
  std::function<Kernel(const Kernel&)> run;
  std::string why;  // it stands here in the order
};

const std::vector<Pass>& passes();

Kernel run_passes(const Kernel& kernel, const Request& request);

// Is the environment variable set, and neither empty nor "0"?
bool asked_for(const char* variable);

}  // namespace strata
