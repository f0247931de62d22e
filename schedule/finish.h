// The last step before code generation: assigns arguments, completes storage, checks outputs.
#pragma once

#include "schedule/edit/command.h"

namespace strata {

// "arguments" are those of the kernel, in order: names of buffers, or of arrays without a store_in.
//
// Buffers named become outputs (inputs stay inputs). Arrays without a store_in get a buffer of
// their own name with one element per value, in the order of their indices.
// Errors: E0115 no such buffer; E0116 an input is missing, no argument is an output, or a name is
// given twice; E0106 a computation has no value, or set_memory was given for an argument; E0104 a
// buffer's name is taken; E0112 a domain is unbounded, or cannot be inferred because nothing reads
// it; E0204 an instance of an output never runs; E0304 an output would not end with its last value;
// those of verify_layout, verify_communication and verify_coherence; and verified().
Program finished(const Program& program, const std::vector<std::string>& arguments,
                 const Given& given);

// For a finished program whose floats must be exact: E0505 for a product on tensor cores; E0504 if
// contributions to one result, or atomic steps on one element, come in another order than in the
// algorithm.
void require_sums_in_order(const Program& program, const std::vector<std::string>& arguments,
                           const Given& given);

// What a kernel's arguments most likely are: the buffers of all inputs but scalars, and of the
// arrays that no other definition reads, each once.
std::vector<std::string> usual_arguments(const Program& program);

}  // namespace strata
