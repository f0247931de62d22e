// The small sizes at which programs are judged by execution.
#pragma once

#include <optional>
#include <vector>

#include "layers/program.h"
#include "reference/points.h"

namespace strata::fuzz {

using reference::Parameters;

// Values for those of the parameters N, M, T and U that the program has, smallest first.
enum class Effort {
  accepted,  // for programs said to be legal: up to 4
  refused,   // for programs said to be illegal: up to 9 if they stay small
  compiled,  // for running loop trees: few, around the boundaries of tiles
};
std::vector<Parameters> sizes_of(const Program& program, Effort effort);

// Sizes with a parameter S (otherwise 1) so large that arithmetic may wrap: the kernel may refuse
// them.
std::vector<Parameters> sizes_beyond(const Program& program);

// The size of a witness ("N = 14, M = 0"), with 1 for parameters that it leaves out; nothing if the
// program is too large at that size to be executed.
std::optional<Parameters> size_of(const Witness& witness, const Program& program);

// The number of instances at this size, counting each contribution.
std::size_t count_instances(const Algorithm& algorithm, const Parameters& size);

}  // namespace strata::fuzz
