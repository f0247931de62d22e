#include "graph/vm/arena.h"

#include <algorithm>
#include <numeric>

#include "graph/vm/error.h"

namespace strata::graph {

namespace {

std::int64_t aligned(std::int64_t bytes) {
  if (bytes < 0) throw VmError("an arena has no array of " + std::to_string(bytes) + " bytes");
  std::int64_t made = 0;
  if (__builtin_add_overflow(bytes, arena_alignment - 1, &made))
    throw VmError("the arrays of an arena are beyond 64 bits");
  return made / arena_alignment * arena_alignment;
}

bool live_at_once(const ArenaArray& a, const ArenaArray& b) {
  return a.first <= b.last && b.first <= a.last;
}

struct Placed {
  std::int64_t begin, end;
};

// The beginning of the smallest gap between the blocks that holds the bytes, else their end.
std::int64_t best_gap(std::vector<Placed>& blocks, std::int64_t bytes) {
  std::sort(blocks.begin(), blocks.end(),
            [](const Placed& a, const Placed& b) { return a.begin < b.begin; });
  std::int64_t end = 0, best = -1, best_length = 0;
  for (const Placed& block : blocks) {
    const std::int64_t length = block.begin - end;
    if (length >= bytes && (best < 0 || length < best_length)) {
      best = end;
      best_length = length;
    }
    end = std::max(end, block.end);
  }
  return best < 0 ? end : best;
}

}  // namespace

Arena arena_of(const std::vector<ArenaArray>& arrays) {
  std::vector<std::size_t> order(arrays.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return arrays[a].bytes > arrays[b].bytes; });
  Arena made{0, std::vector<std::int64_t>(arrays.size())};
  std::vector<std::size_t> placed;
  for (const std::size_t k : order) {
    std::vector<Placed> blocks;
    for (const std::size_t other : placed)
      if (live_at_once(arrays[k], arrays[other]))
        blocks.push_back({made.offsets[other], made.offsets[other] + aligned(arrays[other].bytes)});
    const std::int64_t bytes = aligned(arrays[k].bytes);
    made.offsets[k] = best_gap(blocks, bytes);
    std::int64_t end = 0;
    if (__builtin_add_overflow(made.offsets[k], bytes, &end))
      throw VmError("the arrays of an arena are beyond 64 bits");
    made.bytes = std::max(made.bytes, end);
    placed.push_back(k);
  }
  return made;
}

}  // namespace strata::graph
