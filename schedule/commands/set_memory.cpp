#include "schedule/commands/set_memory.h"

#include <algorithm>

#include "schedule/edit/judged.h"
#include "schedule/edit/own_buffer.h"

namespace strata {

namespace {

// The buffer of an array or of an input.
LayoutBuffer& buffer_named(Program& program, const std::string& array, const Command& command) {
  if (!program.algorithm->find_input(array)) return buffer_given(program, array, command);
  const std::string name = buffer_of(program.layout, array);
  auto& all = program.layout.buffers;
  return *std::find_if(all.begin(), all.end(), [&](const auto& b) { return b.name == name; });
}

}  // namespace

Program set_memory(const Program& program, const std::string& array, Memory memory, Given given) {
  const Command command{"set_memory", {array, memory}, given, ""};
  Program after = program;
  LayoutBuffer& buffer = buffer_named(after, array, command);
  if (memory == Memory::constant && buffer.role == BufferRole::temporary)
    throw command.refused(Code::E0306_malformed_layout,
                          buffer.name + " is no input, and only inputs can be in constant memory",
                          "put it in shared or local memory");
  if (memory != Memory::constant && buffer.role != BufferRole::temporary)
    throw command.refused(
        Code::E0106_bad_argument,
        buffer.name + " is an argument of the kernel, so the caller owns its memory",
        "store " + array + " in a separate buffer");
  buffer.memory = memory;
  return judged(program, std::move(after), command);
}

Program in_memory(const Program& program, const std::string& array, Memory memory, Given given) {
  return memory == Memory::automatic ? program : set_memory(program, array, memory, given);
}

}  // namespace strata
