// Models as C libraries.
#pragma once

#include <map>
#include <string>

#include "graph/build/build.h"

namespace strata::graph {

// The files of CompiledModule::save_library, by their names: NAME.h, NAME.c, NAME_kernels.a and
// NAME.weights. Its errors, except those of the folder.
std::map<std::string, std::string> library_files(const CompiledModule& model,
                                                 const std::string& name,
                                                 const LibraryOptions& options = {},
                                                 const Where& where = Where::here());

}  // namespace strata::graph
