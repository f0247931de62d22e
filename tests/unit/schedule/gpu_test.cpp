#include "schedule/commands/launch/gpu.h"

#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/launch/gpu_threads.h"
#include "schedule/commands/loops/tile.h"
#include "tests/unit/programs.h"

namespace strata::test::gpu_test {

TEST_CASE("gpu is gpu_blocks and gpu_threads", "[gpu]") {
  const Program tiles = tile(grid(), {{"S", "i"}, {"S", "j"}}, {4, 8}, {"i0", "j0"}, {"i1", "j1"});
  const Program program = gpu(tiles, {{"S", "i0"}, {"S", "j0"}}, {{"S", "i1"}, {"S", "j1"}});
  CHECK(loops_of(program, "S") == "i0:block j0:block i1:thread j1:thread");
  const Program apart =
      gpu_threads(gpu_blocks(tiles, {{"S", "i0"}, {"S", "j0"}}), {{"S", "i1"}, {"S", "j1"}});
  CHECK(same_schedule(program, apart));
}

TEST_CASE("gpu is refused where a loop is block and thread", "[gpu]") {
  const Program tiles = tile(grid(), {{"S", "i"}, {"S", "j"}}, {4, 8});
  const auto refusal = refusal_of([&] { gpu(tiles, {{"S", "i"}}, {{"S", "i"}}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.command == "gpu(S.i, S.i)");
  CHECK(refusal.explanation == "loop i would be thread, but it is block already");
}

}  // namespace strata::test::gpu_test
