// Advice on loops of a launch whose iterations need each other.
#pragma once

#include <string>

#include "layers/program.h"

namespace strata {

// What to do about pairs { source -> sink } of instances that need an order (E0202) or touch one
// place (E0303) in "after": of the loops around both, the outermost one in which some of them
// differ is over blocks or threads. "" if it is not, or if that takes too long to find.
std::string how_to_order_launch(const Program& after, const isl::map& pairs);

}  // namespace strata
