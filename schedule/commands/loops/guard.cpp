#include "schedule/commands/loops/guard.h"

#include "schedule/edit/verified.h"

namespace strata {

Program guard(const Program& program, const LoopRef& loop, Given given) {
  const Command command{"guard", {loop}, given, ""};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  Loop& guarded = node_at(result.mapping, path).loop();
  if (has_lanes(guarded.processor))
    throw command.refused(Code::E0106_bad_argument,
                          "loop " + loop.loop + " is a vector loop, whose lanes run together",
                          "switch lanes off with mask, or separate full vectors");

  guarded.tail = TailStrategy::guard;

  return accepted(std::move(result));
}

}  // namespace strata
