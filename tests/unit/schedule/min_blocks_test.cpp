#include "schedule/commands/launch/min_blocks.h"

#include "schedule/commands/launch/gpu_tile.h"
#include "schedule/commands/loops/split.h"
#include "tests/unit/programs.h"

namespace strata::test::min_blocks_test {

namespace {

Program tiles() {
  return gpu_tile(grid(), {{"S", "i"}, {"S", "j"}}, {16, 32}, {"i0", "j0"}, {"i1", "j1"});
}

std::int64_t wanted(const Program& program, const std::string& loop) {
  const Placed placed = branches(program.mapping).front();
  for (const Loop* one : placed.loops)
    if (one->name == loop) return one->min_blocks;
  return -1;
}

}  // namespace

TEST_CASE("min_blocks marks the loop, and changes no time", "[gpu]") {
  const Program before = tiles(), after = min_blocks(before, {"S", "i0"}, 2);
  CHECK(wanted(after, "i0") == 2);
  CHECK(wanted(after, "j0") == 0);
  CHECK(loops_of(after, "S") == loops_of(before, "S"));
  CHECK(same_schedule(min_blocks(after, {"S", "i0"}, 3), min_blocks(before, {"S", "i0"}, 3)));
  CHECK(wanted(split(min_blocks(before, {"S", "j0"}, 4), {"S", "j0"}, 2, "a", "b"), "a") == 4);
}

TEST_CASE("min_blocks is refused beside block loops and beside 1 to 32", "[gpu]") {
  const auto refusal = refusal_of([] { min_blocks(tiles(), {"S", "i1"}, 2); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "loop i1 is thread, so it has no blocks");
  CHECK(refusal.mend == "give it to gpu_blocks first");
  for (const std::int64_t blocks : {-1, 0, 33}) {
    const auto number = refusal_of([&] { min_blocks(tiles(), {"S", "i0"}, blocks); });
    CHECK(number.explanation == std::to_string(blocks) + " blocks cannot share a multiprocessor");
    CHECK(number.mend == "ask for 1 to 32");
  }
  CHECK(refusal_of([] { min_blocks(tiles(), {"S", "x"}, 2); }).code == Code::E0102_unknown_loop);
}

}  // namespace strata::test::min_blocks_test
