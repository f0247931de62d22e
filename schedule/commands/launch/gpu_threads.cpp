#include "schedule/commands/launch/gpu_threads.h"

#include "schedule/edit/launch.h"
#include "schedule/edit/verified.h"

namespace strata {

Program gpu_threads(const Program& program, const std::vector<LoopRef>& loops, Given given) {
  const Command command{"gpu_threads",
                        {loops.begin(), loops.end()},
                        given,
                        "a thread needs values that other threads compute"};
  return verified(program, with_launch_loops(program, {}, loops, command), command);
}

}  // namespace strata
