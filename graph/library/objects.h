// The kernels of a model as an archive of object files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/library/traced.h"

namespace strata::graph {

// The bytes of the archive. Kernels are compiled side by side. Errors: those of codegen.
std::string archive_of_kernels(const CModel& model, const LibraryOptions& options,
                               const Where& where);

// An archive as `ar rcsD` makes it. Each member is an object file, and the name of what it defines.
std::string archive_of(const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace strata::graph
