// Atomic steps of launches.
#pragma once

#include "tests/fuzz/scheduled.h"

namespace strata::fuzz {

// The steps of a reduction, one of which directly follows the initial value, or updates
// h(e) = h(e) (+) c by constants.
Scheduled draw_steps(Random& random);

}  // namespace strata::fuzz
