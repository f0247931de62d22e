// Random programs of one block of a launch, to judge barriers with.
#pragma once

#include <cstdint>

#include "layers/program.h"

namespace strata::test {

// Phases of threads and of the first thread, in up to two uniform loops (over K or Q iterations or
// two, also in steps of two), which read values of other threads, of the same iteration and of the
// one before. Values are in buffers of the block or of a loop, which may have one place for all
// iterations, two, or be shared by several arrays; or in outputs. Often illegal.
Program draw_block(std::uint64_t seed);

}  // namespace strata::test
