// The blocks of an arena, as the C runtime places them.
#include <catch2/catch.hpp>

#include <strata/model.h>

#include <limits>
#include <random>

#include "graph/vm/arena.h"

namespace strata::test::plan_test {

using graph::ArenaArray;

struct Plan {
  explicit Plan(const std::vector<ArenaArray>& arrays) : offsets(arrays.size()) {
    std::vector<std::int64_t> sizes;
    std::vector<std::int32_t> lives, scratch(2 * arrays.size());
    for (const ArenaArray& array : arrays) {
      sizes.push_back(array.bytes);
      lives.insert(lives.end(), {std::int32_t(array.first), std::int32_t(array.last)});
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
