// Memories for a kernel's buffers.
#pragma once

#include <string>

namespace strata {

enum class Memory {
  automatic,  // on the stack if the size is a small constant, else on the heap
  heap,
  stack,  // of the executing thread; elements at constant indices live in registers
};

std::string to_string(Memory memory);

}  // namespace strata
