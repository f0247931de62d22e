// Buffers of a constant size instead of the exact one.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "layers/program.h"

namespace strata {

// Which dimensions of a buffer get a constant extent?  "most" has, for each dimension, the constant
// that is enough for all parameters, if there is one, and "exact" gives the exact extent.
//
// Constants make strides constants, and let a buffer be on the stack: a tile that the boundary cuts
// has the places of a whole one. But of { s[x] : 0 <= x < N, x < 2^31 }, which a gather by int32
// touches, there are N, not 2^31. So all constants are taken if such a buffer fits a first-level
// cache; otherwise those that are at most 4 times the greatest exact extent for parameters up to a
// usual size.
std::vector<bool> constant_extents(const LayoutBuffer& buffer,
                                   const std::vector<std::optional<isl::val>>& most,
                                   const std::function<isl::pw_aff(int)>& exact,
                                   const std::vector<std::string>& parameters);

}  // namespace strata
