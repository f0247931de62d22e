#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Puts the buffer of an array on the stack of the executing thread or in the heap. By default a
// buffer of small constant size is on the stack, and others are in the heap. On the stack, elements
// whose indices become constants (in unrolled loops) are kept in registers.
// Always legal: the kind of memory does not change when values are read.
// Errors: E0101 no such array; E0106 an argument of the kernel, whose memory is the caller's; and,
// at code generation, E0308 a buffer on the stack whose size is not constant, or too large.
Program set_memory(const Program& program, const std::string& array, Memory memory,
                   Given given = {});

// The same for use in other commands; Memory::automatic changes nothing.
Program in_memory(const Program& program, const std::string& array, Memory memory, Given given);

}  // namespace strata
