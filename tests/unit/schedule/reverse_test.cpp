#include "schedule/commands/loops/reverse.h"

#include "tests/unit/programs.h"

namespace strata::test::reverse_test {

TEST_CASE("reverse runs a loop backwards", "[reverse]") {
  auto program = reverse(row_sums(), {"S", "i"});
  CHECK(runs(program, "S", "{ S[i, j] -> [0, -i, 0, j, 0] }"));
  CHECK(loops_of(program, "S") == "i j");
}

TEST_CASE("reverse twice is the identity", "[reverse]") {
  auto program = row_sums();
  CHECK(same_schedule(reverse(reverse(program, {"S", "i"}), {"S", "i"}), program));
}

TEST_CASE("reverse is refused when the loop carries a dependence", "[reverse]") {
  auto refusal = refusal_of([] { reverse(row_sums(), {"S", "j"}); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(witness_text(refusal) == "N = 2: S[0, 0] at [0, 0, 0, 0, 0]; S[0, 1] at [0, 0, 0, -1, 0]");
}

TEST_CASE("reverse names the loops there are", "[reverse]") {
  auto refusal = refusal_of([] { reverse(row_sums(), {"S", "k"}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop k; it has i, j");
}

TEST_CASE("a witness names no parameter that only others depend on", "[reverse]") {
  const Var i = range("i", "N");
  const Program program = define(grid(), "T", {i}, select(i > 0, at("T", {i - 1}), 0.0f) + 1.0f);
  const Refusal refusal = refusal_of([&] { reverse(program, {"T", "i"}); });
  CHECK(witness_text(refusal) == "N = 2: T[0] at [1, 0, 0, 0, 0]; T[1] at [1, -1, 0, 0, 0]");
}

}  // namespace strata::test::reverse_test
