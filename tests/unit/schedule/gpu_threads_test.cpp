#include "schedule/commands/launch/gpu_threads.h"

#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/loops/split.h"
#include "tests/unit/programs.h"

namespace strata::test::gpu_threads_test {

namespace {

// i1, and with it j, in tiles of 8 rows: i block, j, i1
Program tiles_of_rows(Program program) {
  return gpu_blocks(split(program, {"S", "i"}, 8, "i0", "i1"), {{"S", "i0"}});
}

}  // namespace

TEST_CASE("gpu_threads tags the loops and leaves the times", "[gpu]") {
  const Program program = gpu_threads(tiles_of_rows(grid()), {{"S", "i1"}});
  CHECK(runs(program, "S", "{ S[i, j] -> [0, floor(i/8), 0, i mod 8, 0, j, 0] }"));
  CHECK(loops_of(program, "S") == "i0:block i1:thread j");
}

TEST_CASE("threads are ordered where a loop around them is", "[gpu]") {
  // S(i, j) reads S(i, j - 1): legal in the thread of i, illegal among threads of j.
  const Program rows = tiles_of_rows(row_sums());
  CHECK(loops_of(gpu_threads(rows, {{"S", "i1"}}), "S") == "i0:block i1:thread j");
  const Program columns = split(rows, {"S", "j"}, 4, "j0", "j1");
  const auto refusal = refusal_of([&] { gpu_threads(columns, {{"S", "i1"}, {"S", "j1"}}); });
  CHECK(refusal.code == Code::E0106_bad_argument);  // j0 stands between them
  const auto carried = refusal_of([&] { gpu_threads(columns, {{"S", "j1"}}); });
  CHECK(carried.code == Code::E0202_dependence_carried);
  CHECK(witness_text(carried) ==
        "N = 2: S[0, 0] at [0, 0, 0, 0, 0, 0, 0, 0, 0]; S[0, 1] at [0, 0, 0, 0, 0, 0, 0, 1, 0]");
}

TEST_CASE("threads have a constant bound on their number", "[gpu]") {
  const Program blocks = gpu_blocks(grid(), {{"S", "i"}});
  const auto refusal = refusal_of([&] { gpu_threads(blocks, {{"S", "j"}}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation ==
        "the number of iterations of loop j has no constant bound, so it cannot be the threads of "
        "a block");
  const Program tiles = gpu_threads(split(blocks, {"S", "j"}, 32), {{"S", "j_in"}});
  CHECK(loops_of(tiles, "S") == "i:block j j_in:thread");
}

}  // namespace strata::test::gpu_threads_test
