// Kernels on disk, in the folder that STRATA_CACHE names: for later processes of the same build of
// Strata, on CPUs with the same features. The files take at most STRATA_CACHE_LIMIT bytes, or 1
// GiB: those that were used last.
#pragma once

#include <string>

#include "graph/compile/kernel_cache.h"

namespace strata::graph {

// Gives "kernel", which has parameters and names but no code, that of the key, with its names and
// schedule, and with the parameters in its order. False if there is none, or only a damaged one.
bool find_stored(const std::string& key, SharedKernel& kernel);

// E0503 if no file can be made in the folder; on a full disk nothing is stored. Other processes may
// read, write and remove the files at the same time.
void store(const std::string& key, const SharedKernel& kernel, const Where& where);

}  // namespace strata::graph
