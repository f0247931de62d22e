#include "schedule/commands/loops/mask.h"

#include "schedule/edit/verified.h"

namespace strata {

Program mask(const Program& program, const LoopRef& loop, Given given) {
  const Command command{"mask", {loop}, given, ""};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  Loop& masked = node_at(result.mapping, path).loop();
  if (!has_lanes(masked.processor))
    throw command.refused(
        Code::E0106_bad_argument,
        "loop " + loop.loop + " is " + to_string(masked.processor) + ", so it has no lanes to mask",
        "vectorize it first, or use guard");

  masked.tail = TailStrategy::mask;

  return accepted(std::move(result));
}

}  // namespace strata
