#include "schedule/commands/loops/set_schedule.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/store_at.h"
#include "tests/unit/programs.h"

namespace strata::test::set_schedule_test {

namespace {

// for i < N: A(i) = i   for i < N: B(i) = A(i)
Program pair() {
  Var i = range("i", "N");
  auto program = define(empty_program({"N"}), "A", {i}, cast(f32, i + 0));
  return define(program, "B", {i}, at("A", {i}));
}

std::vector<std::string> all_loops_of(const Program& program, const std::string& definition) {
  std::vector<std::string> texts;
  for (const Placed& placed : branches_of(program.mapping, definition))
    texts.push_back(loops_around(placed));
  return texts;
}

}  // namespace

TEST_CASE("set_schedule takes a map of 2d+1 dimensions", "[set_schedule]") {
  auto program = set_schedule(grid(), "S", "{ S[i, j] -> [0, j, 0, i - 2j, 0] }");
  CHECK(runs(program, "S", "{ S[i, j] -> [0, j, 0, i - 2j, 0] }"));
  CHECK(loops_of(program, "S") == "j t1");
}

TEST_CASE("set_schedule inserts missing static dimensions at the position of the computation",
          "[set_schedule]") {
  auto program = set_schedule(three_stages(), "Q", "{ Q[i, j] -> [j, i] }");
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [1, j, 0, i, 0] }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [2, i, 0, j, 0] }"));
}

TEST_CASE("set_schedule joins the loop that its numbers lead to", "[set_schedule]") {
  auto program = set_schedule(parallelize(pair(), {"A", "i"}), "B", "{ B[x] -> [0, x, 1] }");
  CHECK(runs(program, "A", "{ A[i] -> [0, i, 0] }"));
  CHECK(runs(program, "B", "{ B[i] -> [0, i, 1] }"));
  CHECK(loops_of(program, "B") == "i:parallel");
  program = set_schedule(three_stages(), "Q", "{ Q[i, j] -> [0, i, 5, j, 0] }");
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 1, j, 0] }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [1, i, 0, j, 0] }"));
}

TEST_CASE("set_schedule with pieces makes branches", "[set_schedule]") {
  auto program = set_schedule(
      pair(), "A",
      "[N] -> { A[i] -> [0, i] : i < 4*floor(N/4); A[i] -> [-1, i] : i >= 4*floor(N/4) }");
  CHECK(all_loops_of(program, "A") == std::vector<std::string>{"i", "i"});
  CHECK(runs(
      program, "A",
      "[N] -> { A[i] -> [1, i, 0] : i < 4*floor(N/4); A[i] -> [0, i, 0] : i >= 4*floor(N/4) }"));
  CHECK(runs(program, "B", "{ B[i] -> [2, i, 0] }"));
  CHECK(refusal_of([&] { split(program, {"A", "i"}, 4); }).code == Code::E0103_ambiguous_loop);
  CHECK(refusal_of([&] { after(program, "B", "A"); }).code == Code::E0103_ambiguous_loop);
}

TEST_CASE("a piece that runs no instance is checked like the others", "[set_schedule]") {
  // P is computed again in each iteration of Q, in a buffer of the kernel.
  const Program program = store_at(compute_at(stencil(), "P", {{"Q", "i"}}), "P", std::nullopt);
  CHECK_NOTHROW(
      set_schedule(program, "Q", "{ Q[i] -> [0, i, 1] : i >= 0; Q[i] -> [1, i] : i < 0 }"));
  CHECK(refusal_of([&] {
          set_schedule(program, "Q", "{ Q[i] -> [-1, i] : i >= 0; Q[i] -> [1, i] : i < 0 }");
        }).code == Code::E0201_dependence_reversed);
}

TEST_CASE("a number at a loop's place is an iteration of it", "[set_schedule]") {
  auto program =
      set_schedule(pair(), "A", "{ A[i] -> [0, i, 0] : i > 0; A[i] -> [0, -4, 0] : i = 0 }");
  CHECK(all_loops_of(program, "A") == std::vector<std::string>{"i"});
  CHECK(runs(program, "A", "{ A[i] -> [0, i, 0] : i > 0; A[i] -> [0, -4, 0] : i = 0 }"));
}

TEST_CASE("consecutive statics are one, in lexicographic order", "[set_schedule]") {
  // (1, 0, 5) < (1, 3) < (2), and A runs at (0).
  auto program = set_schedule(pair(), "B",
                              "{ B[i] -> [1, 3, i] : i > 5; B[i] -> [1, 0, 5] : i = 5; "
                              "B[i] -> [2, 0, i] : i < 5 }");
  CHECK(runs(program, "A", "{ A[i] -> [0, i, 0] }"));
  CHECK(runs(program, "B",
             "{ B[i] -> [1] : i = 5; B[i] -> [2, i, 0] : i > 5; B[i] -> [3, i, 0] : i < 5 }"));
}

TEST_CASE("set_schedule to what is printed is the identity", "[set_schedule]") {
  auto program = split(after(three_stages(), "Q", "P", "i"), {"P", "i"}, 4);
  for (const auto& name : {"P", "Q"}) {
    auto same = set_schedule(program, name, theta_of(program, name));
    CHECK(same_schedule(same, program));
  }
  auto alone = set_schedule(program, "R", theta_of(program, "R"));
  CHECK(runs(alone, "R", "{ R[i, j] -> [1, i, 0, j, 0] }"));
}

TEST_CASE("set_schedule is refused when it runs a reader before its value", "[set_schedule]") {
  auto refusal = refusal_of([] { set_schedule(pair(), "B", "{ B[i] -> [0, i - 1, 1] }"); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "set_schedule(B, \"{ B[i] -> [0, i - 1, 1] }\")");
  CHECK(witness_text(refusal) == "N = 1: A[0] at [0, 0, 0]; B[0] at [0, -1, 1]");
}

TEST_CASE("set_schedule is refused where two instances would meet", "[set_schedule]") {
  auto code = [](const std::string& map) {
    return refusal_of([&] { set_schedule(pair(), "B", map); }).code;
  };
  CHECK(code("{ B[i] -> [0, i, 0] }") == Code::E0203_not_injective);
  CHECK(code("{ B[i] -> [1, floor(i/2), 0] }") == Code::E0203_not_injective);
  CHECK(code("{ B[i] -> [0] : i = 7; B[i] -> [0, i, 1] : i != 7 }") == Code::E0203_not_injective);
}

TEST_CASE("set_schedule of a part leaves readers without their values", "[set_schedule]") {
  auto refusal = refusal_of([] { set_schedule(pair(), "A", "{ A[i] -> [0, i, 0] : i > 0 }"); });
  CHECK(refusal.code == Code::E0204_not_scheduled);
}

TEST_CASE("set_schedule says what is wrong with its text", "[set_schedule]") {
  auto code = [](const std::string& name, const std::string& map) {
    return refusal_of([&] { set_schedule(pair(), name, map); }).code;
  };
  CHECK(code("S", "{ S[i] -> [0, i, 0] }") == Code::E0101_unknown_computation);
  CHECK(code("B", "{ B[i] -> [0, i") == Code::E0108_unreadable_text);
  CHECK(code("B", "{ S[i] -> [0, i, 0] }") == Code::E0106_bad_argument);
  CHECK(code("B", "{ B[i, j] -> [0, i, 0] }") == Code::E0106_bad_argument);
  CHECK(code("B", "{ B[i] -> [[i] -> [0]] }") == Code::E0106_bad_argument);
  CHECK(code("B", "[K] -> { B[i] -> [0, i + K, 0] }") == Code::E0106_bad_argument);
  CHECK(code("B", "{ B[i] -> [0, i, 0] : i < 0 and i > 0 }") == Code::E0106_bad_argument);
}

}  // namespace strata::test::set_schedule_test
