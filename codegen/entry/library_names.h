// Names of functions that programs in C have from their system.
#pragma once

#include <string>

namespace strata {

// Is it a function of the library of C11 (annex B), one of POSIX and GNU that strata_runtime calls,
// or main? A kernel of that name would take its place in the whole program.
bool is_library_function(const std::string& name);

}  // namespace strata
