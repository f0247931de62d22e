#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Puts the buffer of an array on the stack of the thread that runs, or in the heap; without the
// command a buffer of small constant size is on the stack, and others are in the heap.  On the
// stack, elements whose indices become constants (in unrolled loops) live in registers.
// Always legal: where values live in memory does not change when they are read.
// Errors: E0101 no such array; E0106 an argument of the kernel, whose memory is the caller's.
// E0308, when code is generated: a buffer on the stack whose size is no constant, or too large.
Program set_memory(const Program& program, const std::string& array, Memory memory,
                   Given given = {});

// The same as a part of another command, which may leave the memory to be chosen.
Program in_memory(const Program& program, const std::string& array, Memory memory, Given given);

}  // namespace strata
