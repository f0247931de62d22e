// How to run contributions to one result, or updates of one element, at the same time.
#pragma once

#include <string>

#include "layers/program.h"

namespace strata {

// The commands, as an author writes them on "before", that do what "after" was refused for (E0207):
// a loop over contributions to "reduction" that is parallel or a vector.  "" where there is no such
// loop.
std::string how_to_privatise(const Program& before, const Program& after,
                             const std::string& reduction);

// What to write in place of a scatter that updates an element by what it was, so that its iterations
// can run at the same time (E0202).  "" for any other definition.
std::string how_to_scatter(const Program& after, const Definition& definition);

}  // namespace strata
