// What single instructions of PTX do. In "parts" is the name of an instruction, "fma.rn.f32" as
// three parts; null: the emulator does not know it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/gpu/emulator/kernel.h"

namespace strata::emulator {

using Parts = std::vector<std::string>;

inline bool has_part(const Parts& parts, const char* part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

// Registers from registers.
Step arithmetic_step(const Parts& parts);
Step conversion_step(const Parts& parts);
// Those that touch memory, whose place, space and size are in the instruction.
Step memory_step(const Parts& parts);

}  // namespace strata::emulator
