// How many threads a block of a launch has.
#pragma once

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// On each axis a block has the most iterations that a thread loop of that axis has (the innermost
// is axis x). Throws E0106, with the numbers, if a GPU runs no such block (DeviceLimits in
// core/machine/device.h, of no known target). Thread loops have constant extents.
void verify_block_sizes(const Program& program, const Request& request);

}  // namespace strata
