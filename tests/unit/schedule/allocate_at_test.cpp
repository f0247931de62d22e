#include "schedule/commands/storage/allocate_at.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/store_in.h"
#include "tests/unit/programs.h"

namespace strata::test::allocate_at_test {

namespace {

const Var i("i"), j("j");

// P, Q and R side by side in loop i.
Program rows() { return after(after(three_stages(), "Q", "P", "i"), "R", "Q", "i"); }

}  // namespace

TEST_CASE("allocate_at gives each iteration a buffer", "[allocate_at]") {
  const Program before = rows(), program = allocate_at(before, "P", LoopRef{"R", "i"});
  CHECK(allocating_loops(program.mapping, "P") == std::vector<Path>{{0}});
  CHECK(allocating_loops(program.mapping, "Q").empty());
  CHECK(same_schedule(program, before));
}

TEST_CASE("allocate_at names the buffer of a store_in", "[allocate_at]") {
  Program program = store_in(rows(), "P", "row", {i, j}, {j});
  program = allocate_at(program, "P", LoopRef{"P", "i"});
  CHECK(allocating_loops(program.mapping, "row") == std::vector<Path>{{0}});
  CHECK_NOTHROW(parallelize(program, {"R", "i"}));
}

TEST_CASE("allocate_at is refused at once where iterations would share what they recompute",
          "[allocate_at]") {
  // Each iteration of the parallel loop Q.j computes P(i, j) and P(i, j + 1).
  const Var k = range("i", "N"), m = range("j", "N"), wide("j", 0, parameter("N") + 1);
  Program program = define(empty_program({"N"}), "P", {k, wide}, cast(f32, wide + 0));
  program = define(program, "Q", {k, m}, at("P", {k, m}) + at("P", {k, m + 1}));
  program = compute_at(parallelize(program, {"Q", "j"}), "P", {{"Q", "j"}});
  const Refusal refusal = refusal_of([&] { allocate_at(program, "P", LoopRef{"Q", "i"}); });
  CHECK(refusal.code == Code::E0303_race);
  CHECK(refusal.command == "allocate_at(P, Q.i)");
}

TEST_CASE("allocate_at again takes the buffer away from the first loop", "[allocate_at]") {
  const Program once = allocate_at(rows(), "P", LoopRef{"P", "i"});
  CHECK(allocating_loops(allocate_at(once, "P", LoopRef{"Q", "i"}).mapping, "P").size() == 1);
  CHECK(allocating_loops(allocate_at(once, "P", std::nullopt).mapping, "P").empty());
  const Program inside = compute_at(stencil(), "P", {{"Q", "i"}});
  CHECK(allocating_loops(allocate_at(inside, "P", std::nullopt).mapping, "P").empty());
}

TEST_CASE("allocate_at is refused where a value is read elsewhere", "[allocate_at]") {
  const Refusal outside = refusal_of([] { allocate_at(stencil(), "P", LoopRef{"P", "h"}); });
  CHECK(outside.code == Code::E0307_out_of_scope);
  CHECK(outside.command == "allocate_at(P, P.h)");
  CHECK(witness_text(outside) == "N = 1: P[0] at [0, 0, 0]; Q[0] at [1, 0, 0]");
  const Refusal below = refusal_of([] { allocate_at(rows(), "P", LoopRef{"P", "j"}); });
  CHECK(below.code == Code::E0307_out_of_scope);
  CHECK(witness_text(below) == "N = 1: P[0, 0] at [0, 0, 0, 0, 0]; Q[0, 0] at [0, 0, 1, 0, 0]");
}

TEST_CASE("allocate_at is refused where the iteration before made the value", "[allocate_at]") {
  const Refusal refusal = refusal_of([] { allocate_at(row_sums(), "S", LoopRef{"S", "j"}); });
  CHECK(refusal.code == Code::E0307_out_of_scope);
  REQUIRE(refusal.witness);
  REQUIRE(refusal.witness->executions.size() == 2);
  CHECK(refusal.witness->executions[0].instance == "S[0, 0]");
  CHECK(refusal.witness->executions[1].instance == "S[0, 1]");
  CHECK_NOTHROW(allocate_at(row_sums(), "S", LoopRef{"S", "i"}));
}

TEST_CASE("allocate_at refuses memory that is there before the loop", "[allocate_at]") {
  const Program program = store_in(grid(), "S", "in", {i, j}, {i, j});
  CHECK(refusal_of([&] { allocate_at(program, "S", LoopRef{"S", "i"}); }).code ==
        Code::E0106_bad_argument);
}

TEST_CASE("allocate_at names what it does not find", "[allocate_at]") {
  const Refusal refusal = refusal_of([] { allocate_at(rows(), "P", LoopRef{"R", "k"}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "R has no loop k; it has i, j");
  CHECK(refusal_of([] { allocate_at(rows(), "X", LoopRef{"R", "i"}); }).code ==
        Code::E0101_unknown_computation);
}

TEST_CASE("a buffer of another name is allocated where the old one was", "[allocate_at]") {
  const Program inside = compute_at(stencil(), "P", {{"Q", "i"}});
  const Var h("h");
  const Program program = store_in(inside, "P", "window", {h}, {h % 2});
  CHECK(allocating_loops(inside.mapping, "P") == std::vector<Path>{{0}});
  CHECK(allocating_loops(program.mapping, "window") == std::vector<Path>{{0}});
  CHECK(allocating_loops(program.mapping, "P").empty());
}

}  // namespace strata::test::allocate_at_test
