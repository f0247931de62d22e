#include "schedule/commands/order/before.h"

#include "schedule/commands/order/after.h"
#include "tests/unit/programs.h"

namespace strata::test::before_test {

TEST_CASE("before puts a computation right before another, in its loops", "[before]") {
  auto program = before(three_stages(), "P", "Q", "i");
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 1, j, 0] }"));
  program = before(program, "P", "Q", "j");
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 0, j, 1] }"));
}

TEST_CASE("before without a loop runs directly before the whole nest", "[before]") {
  Var i = range("i", "N");
  auto program = define(three_stages(), "T", {i}, cast(f32, i + 0));
  program = before(program, "T", "Q");
  CHECK(runs(program, "T", "{ T[i] -> [1, i, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [2, i, 0, j, 0] }"));
}

TEST_CASE("a before b is b after a", "[before]") {
  auto program = three_stages();
  CHECK(same_schedule(before(program, "P", "Q", "i"), after(program, "Q", "P", "i")));
  CHECK(same_schedule(before(program, "P", "Q"), program));
}

TEST_CASE("before is refused when it runs a reader before its value", "[before]") {
  auto refusal = refusal_of([] { before(three_stages(), "Q", "P", "j"); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "before(Q, P, j)");
  CHECK(witness_text(refusal) == "N = 1: P[0, 0] at [0, 0, 0, 0, 1]; Q[0, 0] at [0, 0, 0, 0, 0]");
}

TEST_CASE("before names what it does not find", "[before]") {
  auto refusal = refusal_of([] { before(three_stages(), "P", "Q", "i0"); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "Q has no loop i0; it has i, j");
}

}  // namespace strata::test::before_test
