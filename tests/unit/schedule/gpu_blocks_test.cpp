#include "schedule/commands/launch/gpu_blocks.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/rfactor.h"
#include "tests/unit/programs.h"

namespace strata::test::gpu_blocks_test {

TEST_CASE("gpu_blocks tags the loops and leaves the times", "[gpu]") {
  const Program program = gpu_blocks(grid(), {{"S", "i"}, {"S", "j"}});
  CHECK(runs(program, "S", "{ S[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(loops_of(program, "S") == "i:block j:block");
  CHECK(loops_of(gpu_blocks(row_sums(), {{"S", "i"}}), "S") == "i:block j");
}

TEST_CASE("gpu_blocks is refused when a block needs another", "[gpu]") {
  const auto refusal = refusal_of([] { gpu_blocks(antidiagonal(), {{"S", "i"}, {"S", "j"}}); });
  CHECK(refusal.code == Code::E0202_dependence_carried);
  CHECK(refusal.command == "gpu_blocks(S.i, S.j)");
  CHECK(witness_text(refusal) == "N = 2: S[0, 1] at [0, 0, 0, 1, 0]; S[1, 0] at [0, 1, 0, 0, 0]");
}

TEST_CASE("gpu_blocks is refused on a loop over contributions to one result", "[gpu]") {
  const auto refusal = refusal_of([] { gpu_blocks(sums(), {{"C", "k"}}); });
  CHECK(refusal.code == Code::E0207_reduction_concurrent);
  const Program parts = rfactor(sums(), {"C", "k"}, "part");
  CHECK(loops_of(gpu_blocks(parts, {{"part", "k"}}), "part") == "i k:block");
}

TEST_CASE("a loop has one tag of a processor", "[gpu]") {
  const auto refusal =
      refusal_of([] { gpu_blocks(parallelize(grid(), {"S", "i"}), {{"S", "i"}}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "loop i would be block, but it is parallel already");
  CHECK(refusal_of([] { gpu_blocks(grid(), {{"S", "i"}, {"S", "i"}}); }).code ==
        Code::E0106_bad_argument);
  CHECK(refusal_of([] { gpu_blocks(grid(), {{"S", "x"}}); }).code == Code::E0102_unknown_loop);
}

}  // namespace strata::test::gpu_blocks_test
