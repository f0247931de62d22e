#include "schedule/commands/order/distribute_loop.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/fuse.h"
#include "tests/unit/programs.h"

namespace strata::test::distribute_loop_test {

namespace {

// for t < N: { P(t) = Q(t - 1) + 1, if that exists;  Q(t) = P(t) }
Program mutual() {
  Var t = range("t", "N");
  NewDefinition p;
  p.array = "P";
  p.iterators = {t};
  p.type = f32;
  p.open_loops = {"t"};
  auto program = with_definition(empty_program({"N"}), p, asked);
  NewDefinition q = p;
  q.array = "Q";
  q.value = at("P", {t});
  q.existing_loops = 1;
  program = with_definition(program, q, asked);
  return with_value(program, "P", select(t > 0, at("Q", {t - 1}), 0.0f) + 1.0f, asked);
}

}  // namespace

TEST_CASE("distribute_loop gives every part its own loop", "[distribute_loop]") {
  auto program = after(after(three_stages(), "Q", "P", "i"), "R", "Q", "i");
  program = distribute_loop(parallelize(program, {"P", "i"}), {"Q", "i"});
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [1, i, 0, j, 0] }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [2, i, 0, j, 0] }"));
  for (const auto& name : {"P", "Q", "R"}) CHECK(loops_of(program, name) == "i:parallel j");
}

TEST_CASE("distribute_loop of an inner loop stays in the outer one", "[distribute_loop]") {
  auto program = distribute_loop(after(three_stages(), "Q", "P", "j"), {"P", "j"});
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 1, j, 0] }"));
}

TEST_CASE("fuse undoes distribute_loop", "[distribute_loop]") {
  auto program = after(three_stages(), "Q", "P", "i");
  auto parts = distribute_loop(program, {"P", "i"});
  CHECK(same_schedule(fuse(parts, {"P", "i"}, {"Q", "i"}), program));
}

TEST_CASE("distribute_loop is refused when the parts need each other", "[distribute_loop]") {
  auto refusal = refusal_of([] { distribute_loop(mutual(), {"P", "t"}); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "distribute_loop(P.t)");
  CHECK(witness_text(refusal) == "N = 2: Q[0] at [1, 0, 0]; P[1] at [0, 1, 0]");
}

TEST_CASE("distribute_loop names the loops there are", "[distribute_loop]") {
  auto refusal = refusal_of([] { distribute_loop(mutual(), {"Q", "i"}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "Q has no loop i; it has t");
}

}  // namespace strata::test::distribute_loop_test
