#pragma once

#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// gpu_blocks on "blocks" and gpu_threads on "threads", checked together.
//
//     gpu(i0, j0, i1, j1)   ~>   block i0: block j0: thread i1: thread j1: S
//
// Errors: as gpu_blocks and gpu_threads.
Program gpu(const Program& program, const std::vector<LoopRef>& blocks,
            const std::vector<LoopRef>& threads, Given given = {});

}  // namespace strata
