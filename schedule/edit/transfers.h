// Copies between host and device that an author gives.
#pragma once

#include <optional>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// The program with a copy of the array's buffer, of each iteration of the loop or of the kernel.
// E0101 if there is no such array, E0102, E0103 for the loop; E0106 if it is given already.
Program with_transfer(const Program& program, Transfer direction, const std::string& array,
                      const std::optional<LoopRef>& loop, const Command& command);

}  // namespace strata
