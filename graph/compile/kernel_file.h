// Kernels on disk, in the folder that STRATA_CACHE names: for later processes of the same build of
// Strata, on CPUs with the same features.
#pragma once

#include <string>

#include "graph/compile/kernel_cache.h"

namespace strata::graph {

// Gives "kernel", which has parameters and names but no code, that of the key, with its names and
// with the parameters in its order. False if there is none, or only a damaged one.
bool find_stored(const std::string& key, SharedKernel& kernel);

// E0503 if the file cannot be written. Other processes may read and write it at the same time.
void store(const std::string& key, const SharedKernel& kernel, const Where& where);

}  // namespace strata::graph
