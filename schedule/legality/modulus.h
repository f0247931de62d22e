// How few places are enough: the smallest modulus of a contraction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "layers/program.h"

namespace strata {

// Values X(e) are to live at e(index) mod m.  With
//     Delta = { |index(e) - index(e')| : X(e) and X(e') may not share a place }
// m is legal iff no positive multiple of m is in Delta.  The smallest such m; nothing where Delta
// is unbounded, or other arrays live in the buffer.
//
// "collapsed" is the program with 0 in the place of that index: there all pairs meet that agree in
// the others.  "index" is { X[e] -> [index] }.  Asked within the session's budget: nothing where
// that is not enough.
std::optional<std::int64_t> smallest_modulus(const Program& collapsed, const std::string& array,
                                             const isl::map& index);

}  // namespace strata
