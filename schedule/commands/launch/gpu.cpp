#include "schedule/commands/launch/gpu.h"

#include "schedule/edit/launch.h"
#include "schedule/edit/verified.h"

namespace strata {

Program gpu(const Program& program, const std::vector<LoopRef>& blocks,
            const std::vector<LoopRef>& threads, Given given) {
  Command command{"gpu",
                  {blocks.begin(), blocks.end()},
                  given,
                  "a block or a thread needs values that others compute"};
  command.operands.insert(command.operands.end(), threads.begin(), threads.end());
  return verified(program, with_launch_loops(program, blocks, threads, command), command);
}

}  // namespace strata
