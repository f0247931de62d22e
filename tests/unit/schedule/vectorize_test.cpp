#include "schedule/commands/loops/vectorize.h"

#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/split.h"
#include "tests/unit/programs.h"

namespace strata::test::vectorize_test {

namespace {

// for i < N: for j from i to i + 3: S(i, j): the extent is 4 for every i.
Program diagonal_band() {
  Var i = range("i", "N"), j("j", variable("i"), variable("i") + 4);
  return define(empty_program({"N"}), "S", {i, j}, cast(f32, i + j));
}

}  // namespace

TEST_CASE("vectorize splits and makes the inner loop lanes", "[vectorize]") {
  auto program = vectorize(grid(), {"S", "j"}, 16, "j0", "j1");
  CHECK(loops_of(program, "S") == "i j0 j1:vector");
  CHECK(runs(program, "S", "{ S[i, j] -> [0, i, 0, floor(j/16), 0, j mod 16, 0] }"));
  CHECK(loops_of(vectorize(grid(), {"S", "j"}, 8), "S") == "i j j_lane:vector");
}

TEST_CASE("vectorize takes a whole loop whose extent is constant under each prefix",
          "[vectorize]") {
  CHECK(loops_of(vectorize(diagonal_band(), {"S", "j"}), "S") == "i j:vector");
}

TEST_CASE("vectorize by lanes is split, and vectorize of the inner loop", "[vectorize]") {
  auto program = grid();
  CHECK(same_schedule(vectorize(program, {"S", "j"}, 8, "a", "b"),
                      vectorize(split(program, {"S", "j"}, 8, "a", "b"), {"S", "b"})));
}

TEST_CASE("vectorize is refused when a lane needs its own instruction", "[vectorize]") {
  auto refusal = refusal_of([] { vectorize(row_sums(), {"S", "j"}, 4); });
  CHECK(refusal.code == Code::E0202_dependence_carried);
  CHECK(refusal.command == "vectorize(S.j, 4)");
  CHECK(witness_text(refusal) ==
        "N = 2: S[0, 0] at [0, 0, 0, 0, 0, 0, 0]; S[0, 1] at [0, 0, 0, 0, 0, 1, 0]");
  CHECK_NOTHROW(vectorize(row_sums(), {"S", "i"}, 4));
}

TEST_CASE("vectorize is refused where the extent has no constant bound", "[vectorize]") {
  auto refusal = refusal_of([] { vectorize(diagonal_band(), {"S", "i"}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.mend == "give a size: vectorize(S.i, 8)");
  CHECK(refusal_of([] { vectorize(grid(), {"S", "j"}, 0); }).code == Code::E0106_bad_argument);
}

TEST_CASE("a later command may not take the constant extent away", "[vectorize]") {
  auto lanes = vectorize(diagonal_band(), {"S", "j"});
  auto refusal = refusal_of([&] { interchange(lanes, {"S", "i"}, {"S", "j"}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation ==
        "the vector loop j of S would have a number of iterations without a constant bound");
}

TEST_CASE("vectorize names the loops there are", "[vectorize]") {
  auto refusal = refusal_of([] { vectorize(grid(), {"S", "x"}, 8); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop x; it has i, j");
}

}  // namespace strata::test::vectorize_test
