#include "schedule/commands/launch/gpu_tile.h"

#include "schedule/commands/launch/gpu.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/tile.h"
#include "tests/unit/programs.h"

namespace strata::test::gpu_tile_test {

TEST_CASE("gpu_tile is tile and gpu", "[gpu]") {
  const std::vector<LoopRef> loops{{"S", "i"}, {"S", "j"}};
  const Program plain = grid();
  const Program program = gpu_tile(plain, loops, {16, 32}, {"i0", "j0"}, {"i1", "j1"});
  CHECK(loops_of(program, "S") == "i0:block j0:block i1:thread j1:thread");
  CHECK(runs(program, "S",
             "{ S[i, j] -> [0, floor(i/16), 0, floor(j/32), 0, i mod 16, 0, j mod 32, 0] }"));
  const Program tiles = tile(plain, loops, {16, 32}, {"i0", "j0"}, {"i1", "j1"});
  CHECK(same_schedule(program, gpu(tiles, {{"S", "i0"}, {"S", "j0"}}, {{"S", "i1"}, {"S", "j1"}})));
  CHECK(loops_of(gpu_tile(grid(), loops, {16, 32}), "S") ==
        "i:block j:block i_in:thread j_in:thread");
}

TEST_CASE("gpu_tile of one loop is split and gpu", "[gpu]") {
  const Program rows = row_sums();
  const Program program = gpu_tile(rows, {{"S", "i"}}, {64}, {"b"}, {"t"});
  CHECK(loops_of(program, "S") == "b:block t:thread j");
  const Program strips = split(rows, {"S", "i"}, 64, "b", "t");
  CHECK(same_schedule(program, gpu(strips, {{"S", "b"}}, {{"S", "t"}})));
}

TEST_CASE("gpu_tile is refused as a whole", "[gpu]") {
  const auto refusal = refusal_of([] { gpu_tile(row_sums(), {{"S", "i"}, {"S", "j"}}, {4, 4}); });
  CHECK(refusal.code == Code::E0202_dependence_carried);
  CHECK(refusal.command == "gpu_tile(S.i, S.j, 4, 4)");
  CHECK(refusal_of([] { gpu_tile(grid(), {{"S", "i"}}, {0}); }).code == Code::E0106_bad_argument);
  CHECK(refusal_of([] { gpu_tile(grid(), {{"S", "i"}, {"S", "j"}}, {4}); }).explanation ==
        "2 loops are named, but 1 sizes are given");
}

}  // namespace strata::test::gpu_tile_test
