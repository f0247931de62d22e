// In which memory a buffer of the kernel lives.
#pragma once

#include <string>

namespace strata {

enum class Memory {
  automatic,  // the stack where the size is a small constant, else the heap
  heap,
  stack,  // of the thread that runs it; constant indices into it live in registers
};

std::string to_string(Memory memory);

}  // namespace strata
