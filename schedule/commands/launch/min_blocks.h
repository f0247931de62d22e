#pragma once

#include <cstdint>

#include "schedule/edit/command.h"

namespace strata {

// Asks that "blocks" blocks of the launch whose block loop is "loop" fit on one multiprocessor at a
// time, so that the compiler of the device gives each thread at most
//
//     registers of a multiprocessor / (blocks * threads of a block)
//
// registers; "launch_bounds" in CUDA.  A hint for CUDA, without meaning for OpenCL: neither Theta
// nor the order of the iterations change.
// Errors: E0101, E0102, E0103 not found, E0106 not a block loop, or not 1 to 32 blocks.
Program min_blocks(const Program& program, const LoopRef& loop, std::int64_t blocks,
                   Given given = {});

}  // namespace strata
