// Kernels on disk, in the folder that STRATA_CACHE names, for later processes of the same build of
// Strata, on CPUs with the same features. The files take at most STRATA_CACHE_LIMIT bytes, by
// default 1 GiB; the most recently used files stay.
#pragma once

#include <string>

#include "graph/compile/kernel_cache.h"

namespace strata::graph {

// Completes "kernel", which has parameters and names but no code: gives it the code stored for the
// key, with the stored names and schedule, and puts its parameters into the stored order. False if
// no kernel is stored, or only a damaged one.
bool find_stored(const std::string& key, SharedKernel& kernel);

// Returns why the kernel is not stored, for example because the disk is full; else "". E0503 if no
// file can be made in the folder. Other processes may read, write and remove the files at the same
// time.
std::string store(const std::string& key, const SharedKernel& kernel, const Where& where);

}  // namespace strata::graph
