// Editing bands: chains of loops, each the only node in the body of the one before.
#pragma once

#include <functional>

#include "layers/mapping.h"

namespace strata {

// { [t0, .., t(n-1)] -> [t'0, .., t'(m-1)] }: what a command does to the iterators of its band.
using BandMap = isl::map;

// Replaces the "count" loops from "outermost" on by "loops" (whose bodies are ignored), and the
// iterators of every branch inside by their image under "change":
//
//     Theta' = Theta . (identity on the levels before x change x identity on the levels after)
//
// "change" is given in terms of anonymous tuples of count and loops.size() dimensions.
void rewrite_band(Mapping& mapping, const Path& outermost, int count,
                  const std::vector<Loop>& loops, const BandMap& change);

}  // namespace strata
