// Which part of each argument a rank needs, in bounds that hosts and readers can use.
#pragma once

#include <vector>

#include "codegen/nests/time_space.h"
#include "codegen/tree/loop_tree.h"
#include "layers/program.h"

namespace strata {

// Adds to each argument the boxes around the places that the rank touches, and around those in
// which it computes values, as functions of the parameters and of its block: bounds of the hull
//     max { lower bounds } <= index < min { upper bounds },
// which holds the exact box (codegen/memory/boxes.h) and is inside the hull of the elements that
// exist. It may be larger than the exact box where that has cases.
void add_rank_boxes(std::vector<ArgumentBuffer>& arguments, const Program& program,
                    const TimeSpace& space, const Request& request);

}  // namespace strata
