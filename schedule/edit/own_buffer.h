// The default buffer of an array without a store_in.
#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Gives the array a buffer of its own name with one element per value, { X[e] -> X[e] }, unless it
// is stored already. E0104 if another buffer has that name.
void give_own_buffer(Program& program, const std::string& array, const Command& command);

// The buffer of the array, created if it has none; E0101 if there is no such array.
LayoutBuffer& buffer_given(Program& program, const std::string& array, const Command& command);

// The same of an array or an input; E0106 if it is a scalar.
LayoutBuffer& any_buffer_given(Program& program, const std::string& array, const Command& command);

}  // namespace strata
