// What an iteration of a loop touches of a buffer, as a box.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/nests/time_space.h"
#include "layers/program.h"

namespace strata {

// A box of places, over the parameters and the iterators around, which are parameters too
// (iterator_name).
struct PlaceBox {
  const LayoutBuffer* buffer;
  std::vector<isl::pw_aff> lowers, extents;
};

// { S[i] : S[i] runs in the iteration [t0, .., tp + ahead] of "times" }, the t being parameters and
// p the depth; of a loop over parametric tiles, in the tile.
isl::set instances_inside(const isl::set& times, const TimeBranch& branch, int depth,
                          std::int64_t ahead = 0);

// The box hull of { b[..] } = "places", not empty.  Extents are constants where some hold for all
// values of the parameters: then the origin alone follows them.
PlaceBox box_hull(const LayoutBuffer& buffer, const isl::set& places);

}  // namespace strata
