// Many arrays in one memory.
#pragma once

#include <cstdint>
#include <vector>

namespace strata::graph {

struct ArenaArray {
  std::int64_t bytes = 0;
  std::int64_t first = 0, last = 0;  // when it lives, both inclusive
};

struct Arena {
  std::int64_t bytes = 0;
  std::vector<std::int64_t> offsets = {};  // of each array: multiples of 64
};

// Arrays that live at once do not overlap: strata_plan_blocks of the C runtime places them. VmError
// if a size is negative, or all are beyond int64.
Arena arena_of(const std::vector<ArenaArray>& arrays);

}  // namespace strata::graph
