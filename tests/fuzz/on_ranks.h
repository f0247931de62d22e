// Random programs on several ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layers/program.h"

namespace strata::fuzz {

// What a run of a program on ranks showed.
struct OnRanks {
  int runs = 0;       // 0: no loop could be distributed, or the kernel is refused
  std::string fault;  // the first one, or ""
};
// Distributes loops of a legal program by a partition, generates its loops, and runs them on 1 to 4
// ranks, with cuts that leave some of them empty (reference/loop_tree_ranks.h). Which loops and
// cuts is drawn by "seed".
OnRanks on_ranks(const Program& program, const std::vector<std::string>& arguments,
                 std::uint64_t seed);

}  // namespace strata::fuzz
