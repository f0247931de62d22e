// Advice on running contributions to one result, or updates of one element, concurrently.
#pragma once

#include <string>

#include "layers/program.h"

namespace strata {

// The commands to give on "before" instead of the refused one (E0207), which made a loop over
// contributions to "reduction" parallel or a vector in "after". "" if there is no such loop.
std::string how_to_privatise(const Program& before, const Program& after,
                             const std::string& reduction);

// What to write instead of a scatter that reads its own array, so that its iterations can run
// concurrently (E0202). "" for any other definition.
std::string how_to_scatter(const Program& after, const Definition& definition);

}  // namespace strata
