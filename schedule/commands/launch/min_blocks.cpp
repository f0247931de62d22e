#include "schedule/commands/launch/min_blocks.h"

#include "schedule/edit/verified.h"

namespace strata {

Program min_blocks(const Program& program, const LoopRef& loop, std::int64_t blocks, Given given) {
  const Command command{"min_blocks", {loop, blocks}, given, ""};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  Loop& launched = node_at(result.mapping, path).loop();
  if (launched.processor != Processor::block)
    throw command.refused(
        Code::E0106_bad_argument,
        "loop " + loop.loop + " is " + to_string(launched.processor) + ", so it has no blocks",
        "give it to gpu_blocks first");
  if (blocks < 1 || blocks > most_min_blocks)
    throw command.refused(Code::E0106_bad_argument,
                          std::to_string(blocks) + " blocks cannot share a multiprocessor",
                          "ask for 1 to " + std::to_string(most_min_blocks));

  launched.min_blocks = blocks;

  return accepted(std::move(result));
}

}  // namespace strata
