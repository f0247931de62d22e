// The buffer that an array gets where no store_in gives it one.
#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// A buffer of the array's own name with one element for each value, { X[e] -> X[e] }; nothing is
// changed where the array is stored already.  E0104 where another buffer has the name.
void give_own_buffer(Program& program, const std::string& array, const Command& command);

// The buffer of the array, which "program" has then; E0101 where there is no such array.
LayoutBuffer& buffer_given(Program& program, const std::string& array, const Command& command);

}  // namespace strata
