#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Puts the buffer of an array on the stack of the executing thread or in the heap. By default a
// buffer of small constant size is on the stack, and others are in the heap. On the stack, elements
// whose indices become constants (in unrolled loops) are kept in registers.
// Inside a launch on a GPU a buffer is in shared memory, of a block, or in local memory, of a
// thread; by default in local memory if one thread touches each place (schedule/legality/
// memories.h), else in shared memory. An input may be in constant memory, which promises that no
// execution overwrites it.
// Legal on CPUs: the kind of memory does not change when values are read.
// Errors: E0101 no such array; E0106 an argument of the kernel, whose memory is the caller's; E0306
// constant memory for what is not an input, or is written; E0309 local memory where several threads
// touch one place; and, at code generation, E0308 a buffer on the stack, in shared or in local
// memory whose size is not constant, or too large, or that is in a memory that its loop lacks.
Program set_memory(const Program& program, const std::string& array, Memory memory,
                   Given given = {});

// The same for use in other commands; Memory::automatic changes nothing.
Program in_memory(const Program& program, const std::string& array, Memory memory, Given given);

}  // namespace strata
