#include "schedule/commands/loops/separate.h"

#include "schedule/edit/verified.h"

namespace strata {

Program separate(const Program& program, const LoopRef& loop, Given given) {
  const Command command{"separate", {loop}, given, ""};
  Program result = program;
  const Path path = loop_named(result, loop, command);

  node_at(result.mapping, path).loop().tail = TailStrategy::separate;

  return accepted(std::move(result));
}

}  // namespace strata
