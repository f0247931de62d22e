// The layout for code generation, in which every array and input has its place.
#pragma once

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// { X[e] -> b[..] } of an array or input; E0502 if it has none.
isl::map store_of(const Layout& layout, const std::string& array, const Request& request);

}  // namespace strata
