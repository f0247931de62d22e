// Short texts of sizes in a schedule: the range of a loop, the extents of a buffer.
#pragma once

#include <string>

#include "layers/program.h"

namespace strata {

// Of the loop at "path": its number of iterations under one prefix of time, "x 7", if that has a
// constant bound; else its range over the whole kernel, "0 .. N - 1"; empty if both are long or
// unknown.
std::string range_text(const Program& program, const Path& path);

// "[9, 16]": the extents of a buffer. Those given by the author, or else of the places that the
// instances in one iteration of the loop at "path" define, over constants, and of the whole kernel
// if the path is empty, over parameters. "?" stands for an extent that is long or unknown.
std::string extents_text(const Program& program, const LayoutBuffer& buffer, const Path& path);

}  // namespace strata
