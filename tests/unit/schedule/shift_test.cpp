#include "schedule/commands/loops/shift.h"

#include "schedule/commands/order/after.h"
#include "schedule/commands/order/fuse.h"
#include "tests/unit/programs.h"

namespace strata::test::shift_test {

TEST_CASE("shift moves one computation along the loop", "[shift]") {
  auto program = shift(after(three_stages(), "Q", "P", "j"), {"Q", "j"}, 3);
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 0, j + 3, 1] }"));
  CHECK(loops_of(program, "Q") == "i j");
}

TEST_CASE("shift takes an affine function of the parameters", "[shift]") {
  auto program = shift(grid(), {"S", "i"}, 2 * parameter("N") - parameter("M") / 2);
  CHECK(runs(program, "S", "[N, M] -> { S[i, j] -> [0, i + 2N - floor(M/2), 0, j, 0] }"));
}

TEST_CASE("shifts add up", "[shift]") {
  auto program = grid();
  CHECK(same_schedule(shift(shift(program, {"S", "i"}, 5), {"S", "i"}, -5), program));
  CHECK(same_schedule(shift(shift(program, {"S", "i"}, 2), {"S", "i"}, 3),
                      shift(program, {"S", "i"}, 5)));
}

TEST_CASE("shift makes a fusion legal that is not without", "[shift]") {
  CHECK_THROWS_AS(fuse(stencil(), {"P", "h"}, {"Q", "i"}), Error);
  auto program = fuse(shift(stencil(), {"Q", "i"}, 1), {"P", "h"}, {"Q", "i"});
  CHECK(runs(program, "P", "{ P[h] -> [0, h, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i] -> [0, i + 1, 1] }"));
}

TEST_CASE("shift is refused when it runs a reader before its value", "[shift]") {
  auto program = after(three_stages(), "Q", "P", "i");
  auto refusal = refusal_of([&] { shift(program, {"P", "i"}, 1); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "shift(P.i, 1)");
  CHECK(witness_text(refusal) == "N = 1: P[0, 0] at [0, 1, 0, 0, 0]; Q[0, 0] at [0, 0, 1, 0, 0]");
}

TEST_CASE("shift names the loops there are", "[shift]") {
  auto refusal = refusal_of([] { shift(stencil(), {"Q", "h"}, 1); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "Q has no loop h; it has i");
}

TEST_CASE("shift refuses an amount that is not affine or not known", "[shift]") {
  Expr n = parameter("N");
  CHECK(refusal_of([&] { shift(grid(), {"S", "i"}, n * n); }).code == Code::E0111_not_affine);
  CHECK(refusal_of([&] { shift(grid(), {"S", "i"}, variable("i")); }).code ==
        Code::E0111_not_affine);
  CHECK(refusal_of([&] { shift(grid(), {"S", "i"}, parameter("K")); }).code ==
        Code::E0101_unknown_computation);
}

}  // namespace strata::test::shift_test
