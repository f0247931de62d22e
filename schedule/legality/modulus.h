// The smallest legal modulus of a storage contraction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "layers/program.h"

namespace strata {

// Values X(e) are to be stored at index(e) mod m. With
//     Delta = { |index(e) - index(e')| : X(e) and X(e') may not share a place }
// m is legal iff no positive multiple of m is in Delta. Returns the smallest such m; std::nullopt
// if Delta is not bounded by 4096, other arrays share the buffer, or the session's budget runs out.
//
// "collapsed" is the program with 0 instead of that index, so that values share a place if the
// other indices agree. "index" is { X[e] -> [index] }.
std::optional<std::int64_t> smallest_modulus(const Program& collapsed, const std::string& array,
                                             const isl::map& index);

}  // namespace strata
