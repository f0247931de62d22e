// What the iterations of a loop prefetch (Loop::prefetches).
#pragma once

#include <vector>

#include "codegen/loops/iteration_box.h"
#include "codegen/nests/nest.h"
#include "core/error.h"
#include "layers/program.h"

namespace strata {

// For each prefetch of the loop of "nest", with distance d and array A, the box hull of
//     { [t0, .., tp] -> b[..] : an instance of its definition at [t0, .., tp + d, ..] reads A[e],
//                               which is stored in b[..] },
// tp being the iterator of the loop, where "context" holds of the parameters and iterators,
// whichever copies of the loop run those iterations. None if the relation is empty. Where it is
// empty for some iterations only, the last ones, their box may be anywhere.
std::vector<PlaceBox> prefetch_boxes(const Nest& nest, const isl::set& context,
                                     const TimeSpace& space, const Program& program,
                                     const Request& request);

}  // namespace strata
