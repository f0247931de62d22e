// Strata's own passes on the loop tree, before a back end gets it.
//
// STRATA_VERIFY=1 checks the rules of the tree (codegen/tree/verify_loop_tree.h) after each pass.
#pragma once

#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "core/stage.h"

namespace strata {

const std::vector<Stage<Kernel>>& passes();

// Prints a tree, and throws E0502 if it breaks a rule.
Watch<Kernel> watch_of_trees(const Request& request);

// Runs all of them. E0502 if STRATA_VERIFY finds a broken rule.
Kernel run_passes(const Kernel& kernel, const Request& request, StageRun& stages);

}  // namespace strata
