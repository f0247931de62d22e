#include "layers/memory.h"

#include <algorithm>

namespace strata {

namespace {

const std::vector<MemoryTraits>& memory_table() {
  static const std::vector<MemoryTraits> rows{
      // memory, name, place, on_device
      {Memory::automatic, "automatic", "where its size allows", false},
      {Memory::heap, "heap", "in the heap", false},
      {Memory::stack, "stack", "on the stack", false},
      {Memory::global, "global", "in global memory", true},
      {Memory::shared, "shared", "in shared memory", true},
      {Memory::local, "local", "in local memory", true},
      {Memory::constant, "constant", "in constant memory", true},
  };
  return rows;
}

}  // namespace

const MemoryTraits& traits(Memory memory) {
  return *std::find_if(memory_table().begin(), memory_table().end(),
                       [&](const MemoryTraits& row) { return row.memory == memory; });
}

std::string to_string(Memory memory) { return traits(memory).name; }

const std::vector<Memory>& all_memories() {
  static const std::vector<Memory> all = [] {
    std::vector<Memory> memories;
    for (const MemoryTraits& row : memory_table())
      if (row.memory != Memory::automatic) memories.push_back(row.memory);
    return memories;
  }();
  return all;
}

std::optional<Memory> memory_named(const std::string& name) {
  for (const Memory memory : all_memories())
    if (to_string(memory) == name) return memory;
  return std::nullopt;
}

std::string names_of_memories() {
  std::string names;
  for (const Memory memory : all_memories())
    names += (memory == all_memories().front()  ? ""
              : memory == all_memories().back() ? " or "
                                                : ", ") +
             to_string(memory);
  return names;
}

}  // namespace strata
