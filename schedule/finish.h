// The last step before code generation: arguments known, storage complete, outputs right.
#pragma once

#include "schedule/edit/command.h"

namespace strata {

// What the kernel is called with, in order: names of buffers, or of arrays stored in none yet.
//
// Buffers named become outputs (inputs stay inputs).  Arrays without a store_in get a buffer of
// their own name with one element for each value, in the order of their indices.
// Errors: E0115 no such buffer; E0116 an input or a store over it is missing, or a name is given
// twice; E0112 an inferred or unbounded domain that nobody bounds; E0204 an instance of an output
// that is never run; E0304 an output that would not end with its last value.
Program finished(const Program& program, const std::vector<std::string>& arguments,
                 const Given& given);

// Of a finished program that is to compute floats exactly: E0504 where contributions to one result
// come in another order than in the algorithm.
void require_sums_in_order(const Program& program, const std::vector<std::string>& arguments,
                           const Given& given);

}  // namespace strata
