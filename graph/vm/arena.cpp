#include "graph/vm/arena.h"

#include <strata/model.h>

#include "graph/vm/error.h"

namespace strata::graph {

Arena arena_of(const std::vector<ArenaArray>& arrays) {
  std::vector<std::int64_t> bytes, lives;
  for (const ArenaArray& array : arrays) {
    if (array.bytes < 0)
      throw VmError("an arena has no array of " + std::to_string(array.bytes) + " bytes");
    bytes.push_back(array.bytes);
    lives.insert(lives.end(), {array.first, array.last});
  }
  Arena made{0, std::vector<std::int64_t>(arrays.size())};
  std::vector<std::int32_t> scratch(2 * arrays.size());
  made.bytes = strata_plan_blocks(int(arrays.size()), bytes.data(), lives.data(),
                                  made.offsets.data(), scratch.data());
  if (made.bytes < 0) throw VmError("the arrays of an arena are beyond 64 bits");
  return made;
}

}  // namespace strata::graph
