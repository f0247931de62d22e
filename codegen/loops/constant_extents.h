// Buffers of a constant size instead of the exact one.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "layers/program.h"

namespace strata {

// The dimensions of a buffer that get a constant extent. "most" has for each dimension the constant
// that is enough for all parameters, if there is one. "exact" gives the exact extent.
//
// Constant extents make strides constant, and let a buffer be on the stack: a tile that the
// boundary cuts has the places of a whole tile. But { s[x] : 0 <= x < N, x < 2^31 }, which a gather
// by int32 touches, has N places, not 2^31. So all constants are taken if the buffer then fits a
// first-level cache. Otherwise a constant is taken if it is at most 4 times the greatest exact
// extent for parameters up to a usual size.
std::vector<bool> constant_extents(const LayoutBuffer& buffer,
                                   const std::vector<std::optional<isl::val>>& most,
                                   const std::function<isl::pw_aff(int)>& exact,
                                   const std::vector<std::string>& parameters);

}  // namespace strata
