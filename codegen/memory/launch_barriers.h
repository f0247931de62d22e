// What the branches of launches touch, and the barriers that follow.
#pragma once

#include <vector>

#include "codegen/loops/ast.h"
#include "codegen/memory/scratch.h"
#include "core/error.h"
#include "layers/flow/communication.h"
#include "layers/program.h"

namespace strata {

// The barriers of all launches of "nests", the forest of "mapping" without copies. Threads are
// numbered as the code numbers them. The places of a buffer that each iteration of a loop has for
// itself count from its origin there, since all iterations use one memory.
BarriersAfter launch_barriers(const Program& program, const Mapping& mapping,
                              const TimeSpace& space, const std::vector<Nest>& nests,
                              const std::vector<Lifetime>& lifetimes, const Request& request,
                              FoundBoxes& boxes);

}  // namespace strata
