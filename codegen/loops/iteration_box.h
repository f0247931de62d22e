// The box of places that an iteration of a loop touches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/nests/time_space.h"
#include "codegen/tree/packing.h"
#include "layers/program.h"

namespace strata {

// A box of places. Its bounds are functions of the parameters and of the iterators around; the
// iterators are parameters too (iterator_name).
struct PlaceBox {
  const LayoutBuffer* buffer;
  std::vector<isl::pw_aff> lowers, extents;
  std::vector<Packing> packed = {};  // by dimension; empty: all places of the box exist
};

// { S[i] : S[i] runs in the iteration [t0, .., tp + ahead] of "times" }, where the t are parameters
// and p is the depth. For a loop over parametric tiles, { S[i] : S[i] runs in the tile }.
isl::set instances_inside(const isl::set& times, const TimeBranch& branch, int depth,
                          std::int64_t ahead = 0);

// The box hull of { b[..] } = "places", which is not empty. An extent is a constant if one is
// enough for all values of the parameters, and pays (constant_extents.h). Then only the origin
// depends on the parameters. "parameters" are the program's.
PlaceBox box_hull(const LayoutBuffer& buffer, const isl::set& places,
                  const std::vector<std::string>& parameters);

}  // namespace strata
