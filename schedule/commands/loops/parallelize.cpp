#include "schedule/commands/loops/parallelize.h"

#include "schedule/edit/launch.h"
#include "schedule/edit/verified.h"

namespace strata {

Program parallelize(const Program& program, const LoopRef& loop, Given given) {
  const Command command{
      "parallelize",
      {loop},
      given,
      "iterations of " + loop.loop + " need values that other iterations compute"};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  require_free_processor(node_at(result.mapping, path).loop(), Processor::parallel, command);

  set_processor(node_at(result.mapping, path).loop(), Processor::parallel);

  return verified(program, std::move(result), command);
}

}  // namespace strata
