// Sums in vectors of results.
#pragma once

#include "automatic/rules/rules.h"

namespace strata::automatic {

// May neighbouring results be the lanes of a vector?
bool has_vectors_of_results(const Member& m, int lanes);

// For tiles of the last loop over results: for the contributions: so many vectors of sums, which
// stay in registers; then the tile copies them.
void write_sums_in_tiles(Draft& draft, const Member& m, int lanes, int vectors);

}  // namespace strata::automatic
