#include "schedule/commands/allocate_at.h"

#include "schedule/legality/scope.h"

namespace strata {

Program allocate_at(const Program& program, const std::string& array,
                    const std::optional<LoopRef>& loop, Given given) {
  const Command command{
      "allocate_at", {array, loop ? to_string(*loop) : std::string("root")}, given, ""};
  definition_named(program, array, command);
  const std::string buffer = buffer_of(program.layout, array);
  const LayoutBuffer* known = program.layout.find(buffer);
  if (known && known->role != BufferRole::temporary)
    throw command.refused(Code::E0106_bad_argument,
                          buffer + " is given from outside and is there before any loop",
                          "store " + array + " in a buffer of its own");
  Program result = program;
  for (const Path& path : allocating_loops(program.mapping, buffer))
    std::erase(node_at(result.mapping, path).loop().allocations, buffer);
  if (loop)
    node_at(result.mapping, loop_named(result, *loop, command))
        .loop()
        .allocations.push_back(buffer);
  return judged(program, std::move(result), command);
}

}  // namespace strata
