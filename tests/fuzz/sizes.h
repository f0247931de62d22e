// The small sizes at which programs are judged by execution.
#pragma once

#include <optional>
#include <vector>

#include "layers/program.h"
#include "tests/judge/points.h"

namespace strata::fuzz {

using judge::Parameters;

// Values for the parameters N, M, T and U, as far as the program has them, smallest first.
enum class Effort {
  accepted,  // what is said to be legal: up to 4
  refused,   // what is said to break somewhere: up to 9, where programs stay small
  compiled,  // what is run as a loop tree: few, at and beyond the borders of tiles
};
std::vector<Parameters> sizes_of(const Program& program, Effort effort);

// With a parameter S, which is 1 above, so large that arithmetic may wrap: the kernel may refuse it.
std::vector<Parameters> sizes_beyond(const Program& program);

// The size that a witness is of ("N = 14, M = 0"), parameters that it leaves out being 1; nothing
// where the program is too large there to be executed.
std::optional<Parameters> size_of(const Witness& witness, const Program& program);

// The instances at this size, contributions counted each.
std::size_t count_instances(const Algorithm& algorithm, const Parameters& size);

}  // namespace strata::fuzz
