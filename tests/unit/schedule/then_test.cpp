#include "schedule/commands/order/then.h"

#include "schedule/commands/order/after.h"
#include "tests/unit/programs.h"

namespace strata::test::then_test {

TEST_CASE("then chains computations in the order of reading", "[then]") {
  auto program = then(then(three_stages(), "P", "Q", "i"), "Q", "R", "j");
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 1, j, 0] }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [0, i, 1, j, 1] }"));
}

TEST_CASE("a then b is b after a", "[then]") {
  auto program = three_stages();
  CHECK(same_schedule(then(program, "P", "Q", "j"), after(program, "Q", "P", "j")));
  CHECK(same_schedule(then(program, "P", "Q"), after(program, "Q", "P")));
}

TEST_CASE("then is refused when it runs a reader before its value", "[then]") {
  auto refusal = refusal_of([] { then(three_stages(), "P", "R", "i"); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "then(P, R, i)");
  CHECK(witness_text(refusal) == "N = 1: Q[0, 0] at [1, 0, 0, 0, 0]; R[0, 0] at [0, 0, 1, 0, 0]");
}

TEST_CASE("then names what it does not find", "[then]") {
  auto refusal = refusal_of([] { then(three_stages(), "P", "S", "i"); });
  CHECK(refusal.code == Code::E0101_unknown_computation);
  CHECK(refusal.explanation == "the program has no computation S; it has P, Q, R");
}

}  // namespace strata::test::then_test
