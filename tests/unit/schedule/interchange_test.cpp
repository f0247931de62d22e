#include "schedule/commands/loops/interchange.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "tests/unit/programs.h"

namespace strata::test::interchange_test {

TEST_CASE("interchange exchanges two loops with their names and tags", "[interchange]") {
  auto program = interchange(parallelize(grid(), {"S", "i"}), {"S", "i"}, {"S", "j"});
  CHECK(runs(program, "S", "{ S[i, j] -> [0, j, 0, i, 0] }"));
  CHECK(loops_of(program, "S") == "j i:parallel");
}

TEST_CASE("interchange of loops that are not neighbours keeps those between", "[interchange]") {
  auto program = split(split(grid(), {"S", "j"}, 4, "j0", "j1"), {"S", "j1"}, 2, "j2", "j3");
  program = interchange(program, {"S", "j3"}, {"S", "i"});
  CHECK(loops_of(program, "S") == "j3 j0 j2 i");
  CHECK(runs(program, "S",
             "{ S[i, j] -> [0, j mod 2, 0, floor(j/4), 0, floor((j mod 4)/2), 0, i, 0] }"));
}

TEST_CASE("interchange twice is the identity", "[interchange]") {
  auto program = grid();
  auto twice = interchange(interchange(program, {"S", "i"}, {"S", "j"}), {"S", "i"}, {"S", "j"});
  CHECK(same_schedule(twice, program));
}

TEST_CASE("interchange acts on every computation in the loops", "[interchange]") {
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(empty_program({"N"}), "P", {i, j}, cast(f32, i + j));
  NewDefinition q;
  q.array = "Q";
  q.iterators = {i, j};
  q.value = at("P", {i, j});
  q.open_loops = {"i", "j"};
  q.existing_loops = 2;
  program = interchange(with_definition(program, q, asked), {"Q", "i"}, {"Q", "j"});
  CHECK(runs(program, "P", "{ P[i, j] -> [0, j, 0, i, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, j, 0, i, 1] }"));
}

TEST_CASE("interchange is refused when it runs a reader before its value", "[interchange]") {
  auto refusal = refusal_of([] { interchange(antidiagonal(), {"S", "i"}, {"S", "j"}); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "interchange(S.i, S.j)");
  CHECK(witness_text(refusal) == "N = 2: S[0, 1] at [0, 1, 0, 0, 0]; S[1, 0] at [0, 0, 0, 1, 0]");
}

TEST_CASE("interchange names the loops there are when one is missing", "[interchange]") {
  auto refusal = refusal_of([] { interchange(grid(), {"S", "i"}, {"S", "k"}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop k; it has i, j");
}

TEST_CASE("interchange names the computation that one loop holds and the other does not",
          "[interchange]") {
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(empty_program({"N"}), "P", {i}, cast(f32, i + 0));
  NewDefinition q;
  q.array = "Q";
  q.iterators = {i, j};
  q.value = at("P", {i});
  q.open_loops = {"i"};
  q.existing_loops = 1;
  program = with_definition(program, q, asked);
  auto refusal = refusal_of([&] { interchange(program, {"Q", "i"}, {"Q", "j"}); });
  CHECK(refusal.code == Code::E0107_wrong_owners);
  CHECK(refusal.explanation == "loop i also contains P, which is outside loop j");
}

}  // namespace strata::test::interchange_test
