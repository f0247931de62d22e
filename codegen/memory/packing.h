// Local memory without the gaps between the places of a thread.
#pragma once

#include <vector>

#include "codegen/loops/iteration_box.h"
#include "core/sets/session.h"

namespace strata {

// The box around "places" = { b[e] } without gaps at regular distances: for each dimension of
// constant extent, with
//     O_d = { e_d - min e_d : b[e] in places }
// for all parameters together, whatever the sizes of arrays are, the period s and width w for which
// O_d is inside { s q + r : 0 <= r < w } and as few of these as can be are within the extent
// (codegen/tree/packing.h). A dimension that gets no smaller stays as it is, and so does the box
// where isl does not find O_d within a small budget. "parameters" are the program's.
PlaceBox packed(const PlaceBox& box, const isl::set& places,
                const std::vector<std::string>& parameters, const Session& session);

}  // namespace strata
