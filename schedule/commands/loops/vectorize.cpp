#include "schedule/commands/loops/vectorize.h"

#include "schedule/edit/tag.h"

namespace strata {

namespace {

Command vectorize_command(const LoopRef& loop, Given given) {
  return {"vectorize",
          {loop},
          given,
          "lanes of " + loop.loop + " need values that other lanes compute"};
}

}  // namespace

Program vectorize(const Program& program, const LoopRef& loop, Given given) {
  return tag_whole(program, loop, Processor::vector, vectorize_command(loop, given));
}

Program vectorize(const Program& program, const LoopRef& loop, std::int64_t lanes,
                  const std::string& outer, const std::string& inner, Given given) {
  Command command = vectorize_command(loop, given);
  command.operands.push_back(lanes);
  if (!outer.empty() || !inner.empty())
    command.operands.insert(command.operands.end(), {outer, inner});
  require_positive(lanes, "the number of lanes", command);
  return tag_strips(program, loop, lanes, outer, inner, "_lane", Processor::vector, command);
}

}  // namespace strata
