// Programs and libraries in this process.
#pragma once

#include <string>

namespace strata {

// The size and the time of the program or library that contains a function; empty if its file is
// not found.
std::string file_of(const void* function);

}  // namespace strata
