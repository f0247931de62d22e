#include "schedule/commands/loops/unroll.h"

#include "schedule/edit/tag.h"

namespace strata {

namespace {

Command unroll_command(const LoopRef& loop, Given given) {
  return {"unroll",
          {loop},
          given,
          "unrolling " + loop.loop + " would read a value before it is computed"};
}

}  // namespace

Program unroll(const Program& program, const LoopRef& loop, Given given) {
  return tag_whole(program, loop, Processor::unrolled, unroll_command(loop, given));
}

Program unroll(const Program& program, const LoopRef& loop, std::int64_t factor,
               const std::string& outer, const std::string& inner, Given given) {
  Command command = unroll_command(loop, given);
  command.operands.push_back(factor);
  if (!outer.empty() || !inner.empty())
    command.operands.insert(command.operands.end(), {outer, inner});
  require_positive(factor, "the factor", command);
  return tag_strips(program, loop, factor, outer, inner, "_unroll", Processor::unrolled, command);
}

}  // namespace strata
