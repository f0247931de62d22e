// Exchanges of values in warps.
#pragma once

#include <vector>

#include "tests/gpu/emulator/thread.h"

namespace strata::emulator {

// shfl.sync.bfly and vote.sync.ballot of the threads of a warp, in their order, all of which take
// part.
void exchange(const Instruction& exchange, std::vector<Thread>::iterator warp);

}  // namespace strata::emulator
