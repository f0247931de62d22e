// Memories for a kernel's buffers, and the properties that follow.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace strata {

enum class Memory {
  automatic,  // on the stack if the size is a small constant, else on the heap
  heap,
  stack,    // of the executing thread; elements at constant indices live in registers
  global,   // of a GPU, for all launches of a kernel
  shared,   // of a GPU, for the threads of one block
  local,    // of a GPU, for one thread; elements at constant indices live in registers
  constant  // of a GPU: an input that no launch writes
};

// A row of the table of memories (memory.cpp).
struct MemoryTraits {
  Memory memory;
  std::string name;   // in program texts
  std::string place;  // in messages: "on the stack"
  bool on_device;     // of a GPU: only launches touch it
};

const MemoryTraits& traits(Memory memory);
inline bool is_on_device(Memory memory) { return traits(memory).on_device; }

std::string to_string(Memory memory);
// A memory that an author may ask for, by its name.
std::optional<Memory> memory_named(const std::string& name);
// All that an author may ask for: not automatic.
const std::vector<Memory>& all_memories();
// "heap, stack, .. or constant"
std::string names_of_memories();

}  // namespace strata
