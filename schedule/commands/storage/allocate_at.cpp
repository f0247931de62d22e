#include "schedule/commands/storage/allocate_at.h"

#include "schedule/edit/command.h"
#include "schedule/edit/verified.h"

namespace strata {

void move_allocation(Program& program, const std::string& array, const std::optional<LoopRef>& loop,
                     const Command& command) {
  const std::string buffer = buffer_of(program.layout, array);
  const LayoutBuffer* known = program.layout.find(buffer);
  if (known && known->role != BufferRole::temporary)
    throw command.refused(Code::E0106_bad_argument,
                          buffer + " is allocated by the caller, before any loop",
                          "store " + array + " in a separate buffer");
  for (const Path& path : allocating_loops(program.mapping, buffer))
    std::erase(node_at(program.mapping, path).loop().allocations, buffer);
  if (!loop) return;
  const Path path = loop_named(program, *loop, command);
  node_at(program.mapping, path).loop().allocations.push_back(buffer);
}

Program allocate_at(const Program& program, const std::string& array,
                    const std::optional<LoopRef>& loop, Given given) {
  const Command command{"allocate_at", {array, loop}, given, ""};
  definition_named(program, array, command);
  Program result = program;
  move_allocation(result, array, loop, command);
  return verified(program, std::move(result), command);
}

}  // namespace strata
