#include "schedule/commands/loops/unroll.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/vectorize.h"
#include "tests/unit/programs.h"

namespace strata::test::unroll_test {

namespace {

// for i < N: for c < 3: S(i, c) = i + c
Program channels() {
  Var i = range("i", "N"), c("c", 0, 3);
  return define(empty_program({"N"}), "S", {i, c}, cast(f32, i + c));
}

}  // namespace

TEST_CASE("unroll by a factor splits and unrolls inside", "[unroll]") {
  auto program = unroll(parallelize(grid(), {"S", "i"}), {"S", "i"}, 4, "i0", "i1");
  CHECK(loops_of(program, "S") == "i0:parallel i1:unrolled j");
  CHECK(runs(program, "S", "{ S[i, j] -> [0, floor(i/4), 0, i mod 4, 0, j, 0] }"));
  CHECK(loops_of(unroll(grid(), {"S", "j"}, 4), "S") == "i j j_unroll:unrolled");
}

TEST_CASE("unroll takes a whole loop of constant extent", "[unroll]") {
  auto program = unroll(channels(), {"S", "c"});
  CHECK(loops_of(program, "S") == "i c:unrolled");
  CHECK(runs(program, "S", "{ S[i, c] -> [0, i, 0, c, 0] }"));
}

TEST_CASE("unroll by a factor is split, and unroll of the inner loop", "[unroll]") {
  auto program = grid();
  CHECK(same_schedule(unroll(program, {"S", "j"}, 4, "a", "b"),
                      unroll(split(program, {"S", "j"}, 4, "a", "b"), {"S", "b"})));
}

TEST_CASE("vectorize and unroll of one loop keep both tags", "[unroll]") {
  auto program = unroll(vectorize(grid(), {"S", "j"}, 8), {"S", "j"}, 4);
  CHECK(loops_of(program, "S") == "i j j_unroll:unrolled j_lane:vector");
  CHECK(runs(program, "S",
             "{ S[i, j] -> [0, i, 0, floor(j/32), 0, floor(j/8) mod 4, 0, j mod 8, 0] }"));
}

TEST_CASE("unroll is refused where the extent has no constant bound", "[unroll]") {
  auto refusal = refusal_of([] { unroll(channels(), {"S", "i"}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "the number of iterations of loop i has no constant bound");
  CHECK(refusal.mend == "give a size: unroll(S.i, 8)");
  CHECK(refusal_of([] { unroll(channels(), {"S", "i"}, -1); }).code == Code::E0106_bad_argument);
}

TEST_CASE("unroll names the loops there are", "[unroll]") {
  auto refusal = refusal_of([] { unroll(channels(), {"S", "k"}, 2); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop k; it has i, c");
}

}  // namespace strata::test::unroll_test
