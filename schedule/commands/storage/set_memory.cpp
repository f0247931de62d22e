#include "schedule/commands/storage/set_memory.h"

#include "schedule/edit/own_buffer.h"
#include "schedule/edit/verified.h"

namespace strata {

Program set_memory(const Program& program, const std::string& array, Memory memory, Given given) {
  const Command command{"set_memory", {array, memory}, given, ""};
  Program after = program;
  LayoutBuffer& buffer = any_buffer_given(after, array, command);
  if (memory == Memory::constant && buffer.role == BufferRole::temporary)
    throw command.refused(
        Code::E0306_malformed_layout,
        buffer.name + " is not an input, and only inputs can be in constant memory",
        "put it in shared or local memory");
  const bool is_own = buffer.role == BufferRole::temporary;
  if (!is_own && memory != Memory::constant && memory != Memory::automatic)
    throw command.refused(
        Code::E0106_bad_argument,
        buffer.name + " is an argument of the kernel, so the caller owns its memory",
        program.algorithm->find_input(array)
            ? "read " + array + " through a copy there (cache_at, cache_shared_at, cache_local_at)"
            : "store " + array + " in a separate buffer");
  buffer.memory = memory;
  return verified(program, std::move(after), command);
}

Program in_memory(const Program& program, const std::string& array, Memory memory, Given given) {
  return memory == Memory::automatic ? program : set_memory(program, array, memory, given);
}

}  // namespace strata
