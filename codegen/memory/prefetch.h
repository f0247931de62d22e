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
// tp being the iterator of the loop, for parameters and iterators in "context". The iterations
// [t0, .., tp + d] may be run by any copy of the loop. None if the relation is empty. If it is only
// empty for some iterations, such as the last ones, the box that these prefetch may be anywhere.
std::vector<PlaceBox> prefetch_boxes(const Nest& nest, const isl::set& context,
                                     const TimeSpace& space, const Program& program,
                                     const Request& request);

}  // namespace strata
