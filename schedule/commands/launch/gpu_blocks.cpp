#include "schedule/commands/launch/gpu_blocks.h"

#include "schedule/edit/launch.h"
#include "schedule/edit/verified.h"

namespace strata {

Program gpu_blocks(const Program& program, const std::vector<LoopRef>& loops, Given given) {
  const Command command{"gpu_blocks",
                        {loops.begin(), loops.end()},
                        given,
                        "a block needs values that other blocks compute"};
  return verified(program, with_launch_loops(program, loops, {}, command), command);
}

}  // namespace strata
