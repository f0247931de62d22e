// Loops over tiles whose size is a parameter. Inside a tile, the tiled value is between two fresh
// parameters.
#pragma once

#include <string>

#include "core/sets/relation.h"

namespace strata {

// The parameters that stand for the first and the last value of t<depth> in a tile.
std::string first_of_tile(int depth);
std::string last_of_tile(int depth);

// { : first_of_tile <= t<depth> <= last_of_tile }, aligned to "params". All three are parameters.
isl::set inside_tile(const isl::set& params, int depth);

// The values of t<depth> in "values" = { : [t0, .., t<depth>] runs }. The iterators are parameters.
struct ValueRange {
  isl::pw_aff first, last;  // over the parameters
  isl::set inside;          // { : what holds for first_of_tile and last_of_tile of every tile }
};
ValueRange value_range(const isl::set& values, int depth);

}  // namespace strata
