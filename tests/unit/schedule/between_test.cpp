#include "schedule/commands/order/between.h"

#include "schedule/commands/order/after.h"
#include "tests/unit/programs.h"

namespace strata::test::between_test {

namespace {

// for i: { for j: P;  for j: R }   for i: for j: T, where R reads P and T reads nothing.
Program two_and_one() {
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(empty_program({"N"}), "P", {i, j}, cast(f32, i + j));
  program = define(program, "R", {i, j}, at("P", {i, j}));
  program = define(program, "T", {i, j}, cast(f32, i - j));
  return after(program, "R", "P", "i");
}

}  // namespace

TEST_CASE("between runs after one and before the other", "[between]") {
  auto program = between(two_and_one(), "T", "P", "i", "R", "i");
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "T", "{ T[i, j] -> [0, i, 1, j, 0] }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [0, i, 2, j, 0] }"));
}

TEST_CASE("between shares more loops with the one or the other", "[between]") {
  auto with_first = between(two_and_one(), "T", "P", "j", "R", "i");
  CHECK(runs(with_first, "T", "{ T[i, j] -> [0, i, 0, j, 1] }"));
  CHECK(runs(with_first, "R", "{ R[i, j] -> [0, i, 1, j, 0] }"));
  auto with_second = between(two_and_one(), "T", "P", "i", "R", "j");
  CHECK(runs(with_second, "T", "{ T[i, j] -> [0, i, 1, j, 0] }"));
  CHECK(runs(with_second, "R", "{ R[i, j] -> [0, i, 1, j, 1] }"));
}

TEST_CASE("between two nests is after the first and before the second", "[between]") {
  auto program = three_stages();
  auto mixed = between(program, "Q", "P", std::nullopt, "R", "j");
  CHECK(runs(mixed, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(mixed, "Q", "{ Q[i, j] -> [1, i, 0, j, 0] }"));
  CHECK(runs(mixed, "R", "{ R[i, j] -> [1, i, 0, j, 1] }"));
  CHECK(same_schedule(between(program, "Q", "P", "i", "R", std::nullopt),
                      after(program, "Q", "P", "i")));
}

TEST_CASE("between is refused when it runs a reader before its value", "[between]") {
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(two_and_one(), "U", {i, j}, at("R", {i, j}));
  auto refusal = refusal_of([&] { between(program, "U", "P", "i", "R", "i"); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "between(U, P, i, R, i)");
  CHECK(witness_text(refusal) == "N = 1: R[0, 0] at [0, 0, 2, 0, 0]; U[0, 0] at [0, 0, 1, 0, 0]");
}

TEST_CASE("between is refused where there is no such place", "[between]") {
  CHECK(refusal_of([] { between(two_and_one(), "T", "R", "i", "P", "i"); }).explanation ==
        "there is no place both after R and before P in these loops");
  CHECK(refusal_of([] { between(two_and_one(), "T", "P", std::nullopt, "R", "j"); }).code ==
        Code::E0106_bad_argument);
  CHECK(refusal_of([] { between(two_and_one(), "T", "P", "j", "R", "j"); }).code ==
        Code::E0106_bad_argument);
  CHECK(refusal_of([] { between(two_and_one(), "P", "P", "i", "R", "i"); }).code ==
        Code::E0106_bad_argument);
}

TEST_CASE("between names what it does not find", "[between]") {
  auto refusal = refusal_of([] { between(two_and_one(), "T", "P", "k", "R", "i"); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "P has no loop k; it has i, j");
}

}  // namespace strata::test::between_test
