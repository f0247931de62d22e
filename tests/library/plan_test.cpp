// The blocks of an arena, as the C runtime places them.
#include <catch2/catch.hpp>

#include <strata/model.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "graph/vm/arena.h"

namespace strata::test::plan_test {

using graph::Arena;
using graph::ArenaArray;

// The end of the array at an offset, with what fills its last 64 bytes.
std::int64_t end_of(std::int64_t offset, const ArenaArray& array) {
  return offset + (array.bytes + 63) / 64 * 64;
}

// The beginning of the smallest gap for array k among those placed that live with it; else their
// end.
std::int64_t best_gap(std::size_t k, const std::vector<ArenaArray>& arrays,
                      const std::vector<std::size_t>& placed, const Arena& arena) {
  std::vector<std::pair<std::int64_t, std::int64_t>> blocks;  // begin, end
  for (const std::size_t p : placed)
    if (arrays[p].first <= arrays[k].last && arrays[k].first <= arrays[p].last)
      blocks.emplace_back(arena.offsets[p], end_of(arena.offsets[p], arrays[p]));
  std::sort(blocks.begin(), blocks.end());
  std::int64_t end = 0, best = -1, length = 0;
  for (const auto& [begin, after] : blocks) {
    const std::int64_t gap = begin - end;
    if (gap >= end_of(0, arrays[k]) && (best < 0 || gap < length)) {
      best = end;
      length = gap;
    }
    end = std::max(end, after);
  }
  return best < 0 ? end : best;
}

// The largest array first, equal ones as they come, each into the smallest gap that holds it.
Arena placed_plainly(const std::vector<ArenaArray>& arrays) {
  std::vector<std::size_t> order(arrays.size()), placed;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return arrays[a].bytes > arrays[b].bytes; });
  Arena made{0, std::vector<std::int64_t>(arrays.size())};
  for (const std::size_t k : order) {
    made.offsets[k] = best_gap(k, arrays, placed, made);
    made.bytes = std::max(made.bytes, end_of(made.offsets[k], arrays[k]));
    placed.push_back(k);
  }
  return made;
}

struct Plan {
  explicit Plan(const std::vector<ArenaArray>& arrays) : offsets(arrays.size()) {
    std::vector<std::int64_t> sizes, lives;
    std::vector<std::int32_t> scratch(2 * arrays.size());
    for (const ArenaArray& array : arrays) {
      sizes.push_back(array.bytes);
      lives.insert(lives.end(), {array.first, array.last});
    }
    bytes = strata_plan_blocks(int(arrays.size()), sizes.data(), lives.data(), offsets.data(),
                               scratch.data());
  }
  std::int64_t bytes;
  std::vector<std::int64_t> offsets;
};

TEST_CASE("blocks of random sizes and lives lie where the machine places them", "[library]") {
  std::mt19937 draw(1);
  for (int n = 0; n < 2000; ++n) {
    std::vector<ArenaArray> arrays(draw() % 12);
    for (ArenaArray& array : arrays) {
      const std::int64_t first = draw() % 20;
      array = {std::int64_t(draw() % 500), first, first + std::int64_t(draw() % 8)};
    }
    const Plan made(arrays);
    const Arena plain = placed_plainly(arrays);
    CHECK(made.bytes == plain.bytes);
    CHECK(made.offsets == plain.offsets);
    CHECK(made.bytes == graph::arena_of(arrays).bytes);
    CHECK(made.offsets == graph::arena_of(arrays).offsets);
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      CHECK(made.offsets[a] % 64 == 0);
      CHECK(made.offsets[a] + arrays[a].bytes <= made.bytes);
      for (std::size_t b = 0; b < a; ++b)
        if (arrays[a].first <= arrays[b].last && arrays[b].first <= arrays[a].last)
          CHECK((made.offsets[a] + arrays[a].bytes <= made.offsets[b] ||
                 made.offsets[b] + arrays[b].bytes <= made.offsets[a]));
    }
  }
}

TEST_CASE("sizes that no arena has", "[library]") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(Plan({}).bytes == 0);
  CHECK(Plan({{-1, 0, 0}}).bytes == -1);
  CHECK(Plan({{most, 0, 0}}).bytes == -1);
  CHECK(Plan({{most / 2 + 1, 0, 0}, {most / 2 + 1, 0, 1}}).bytes == -1);
  CHECK(Plan({{most / 2 + 1, 0, 0}, {most / 2 + 1, 1, 1}}).bytes == most / 2 + 1);
}

TEST_CASE("extents are computed as the machine computes them", "[library]") {
  for (std::int64_t a = -7; a <= 7; ++a)
    for (std::int64_t b = -3; b <= 3; ++b) {
      int beyond = 0;
      std::int64_t q = 0;  // the greatest number with q b <= a, or >= a for negative b
      if (b != 0)
        for (q = -20; b > 0 ? (q + 1) * b <= a : (q + 1) * b >= a;) ++q;
      CHECK(strata_dim_div(a, b, &beyond) == q);
      CHECK(strata_dim_mod(a, b, &beyond) == (b == 0 ? 0 : a - q * b));
      CHECK(beyond == 0);
    }
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  int beyond = 0;
  CHECK(strata_dim_div(least, -1, &beyond) == 0);
  CHECK(beyond == 1);
}

}  // namespace strata::test::plan_test
