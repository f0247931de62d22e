#include "schedule/commands/order/after.h"

#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "tests/unit/programs.h"

namespace strata::test::after_test {

namespace {

// for i < N: for j < N: P(i, j)   for x < N: for y < N: Q(x, y) = P(x, y) + P(x, 0)
Program differently_named() {
  Var i = range("i", "N"), j = range("j", "N"), x = range("x", "N"), y = range("y", "N");
  auto program = define(empty_program({"N"}), "P", {i, j}, cast(f32, i + j));
  return define(program, "Q", {x, y}, at("P", {x, y}) + at("P", {x, 0}));
}

}  // namespace

TEST_CASE("after shares the loops down to the one named, under its names", "[after]") {
  auto program = after(differently_named(), "Q", "P", "i");
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[x, y] -> [0, x, 1, y, 0] }"));
  CHECK(loops_of(program, "Q") == "i y");
  program = after(program, "Q", "P", "j");
  CHECK(runs(program, "Q", "{ Q[x, y] -> [0, x, 0, y, 1] }"));
  CHECK(loops_of(program, "Q") == "i j");
}

TEST_CASE("after leaves behind what stood in the loops with it", "[after]") {
  auto program = after(three_stages(), "R", "Q", "i");
  program = after(program, "Q", "P", "i");
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 1, j, 0] }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [1, i, 0, j, 0] }"));
}

TEST_CASE("after without a loop shares nothing, and undoes sharing", "[after]") {
  auto program = three_stages();
  auto shared = after(after(program, "Q", "P", "j"), "R", "Q", "j");
  CHECK(runs(shared, "R", "{ R[i, j] -> [0, i, 0, j, 2] }"));
  CHECK(same_schedule(after(after(shared, "R", "P"), "Q", "P"), program));
}

TEST_CASE("after at mixed levels is the trace of the order", "[after]") {
  // for i: { for j: P;  for j: { Q; R };  for j: T }
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(three_stages(), "T", {i, j}, at("R", {i, j}));
  program = after(program, "Q", "P", "i");
  program = after(program, "R", "Q", "j");
  program = after(program, "T", "R", "i");
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 1, j, 0] }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [0, i, 1, j, 1] }"));
  CHECK(runs(program, "T", "{ T[i, j] -> [0, i, 2, j, 0] }"));
}

TEST_CASE("after is refused when it runs a reader before its value", "[after]") {
  auto program = interchange(differently_named(), {"P", "i"}, {"P", "j"});
  auto refusal = refusal_of([&] { after(program, "Q", "P", "j"); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "after(Q, P, j)");
  CHECK(witness_text(refusal) == "N = 2: P[0, 1] at [0, 1, 0, 0, 0]; Q[0, 1] at [0, 0, 1, 1, 0]");
}

TEST_CASE("after names what it does not find", "[after]") {
  CHECK(refusal_of([] { after(three_stages(), "Q", "X"); }).explanation ==
        "the program has no computation X; it has P, Q, R");
  CHECK(refusal_of([] { after(three_stages(), "Q", "P", "k"); }).explanation ==
        "P has no loop k; it has i, j");
  CHECK(refusal_of([] { after(three_stages(), "Q", "Q"); }).code == Code::E0106_bad_argument);
}

TEST_CASE("after refuses to share loops of different tags, and names both", "[after]") {
  auto program = parallelize(differently_named(), {"P", "i"});
  auto refusal = refusal_of([&] { after(program, "Q", "P", "i"); });
  CHECK(refusal.code == Code::E0205_tags_differ);
  CHECK(refusal.explanation == "loop i of P is parallel, but loop x of Q is sequential");
  CHECK_NOTHROW(after(parallelize(program, {"Q", "x"}), "Q", "P", "i"));
}

TEST_CASE("after refuses to share more loops than there are, and equal names", "[after]") {
  auto deeper = split(differently_named(), {"P", "j"}, 4);
  CHECK(refusal_of([&] { after(deeper, "Q", "P", "j_in"); }).code == Code::E0106_bad_argument);
  auto crossed = interchange(three_stages(), {"P", "i"}, {"P", "j"});
  CHECK(refusal_of([&] { after(crossed, "Q", "P", "j"); }).code == Code::E0104_name_taken);
}

}  // namespace strata::test::after_test
