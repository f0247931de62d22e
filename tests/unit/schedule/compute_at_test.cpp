#include "schedule/commands/order/compute_at.h"

#include <sstream>

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/reverse.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/commands/storage/copy_at.h"
#include "schedule/commands/storage/store_in.h"
#include "tests/unit/programs.h"

namespace strata::test::compute_at_test {

namespace {

// stencil(), with a further reader R(i) = P(i + 1).
Program two_readers() {
  const Var i = range("i", "N");
  return define(stencil(), "R", {i}, at("P", {i + 1}));
}

// P(i, j) = i;  Q(i, j) = P(i, j) + P(i + 1, j);  R(i, j) = Q(i, j) + 1
Program chain() {
  const Var i = range("i", "N"), j = range("j", "N"), more("i", 0, parameter("N") + 1);
  Program program = define(empty_program({"N"}), "P", {more, j}, cast(f32, more + 0));
  program = define(program, "Q", {i, j}, at("P", {i, j}) + at("P", {i + 1, j}));
  return define(program, "R", {i, j}, at("Q", {i, j}) + 1.0f);
}

// Does the definition run at the same times in both programs?
bool runs_as(const Program& a, const Program& b, const std::string& definition) {
  std::ostringstream text;
  text << theta_of(b, definition);
  return theta_of(a, definition).is_equal(isl::union_map(a.session->isl(), text.str()));
}

}  // namespace

TEST_CASE("compute_at computes what each iteration of the reader reads", "[compute_at]") {
  const Program program = compute_at(stencil(), "P", {{"Q", "i"}});
  CHECK(runs(program, "P", "[N] -> { P[h] -> [0, i, 0, h, 0] : 0 <= i < N and i <= h <= i + 1 }"));
  CHECK(runs(program, "Q", "{ Q[i] -> [0, i, 1] }"));
  CHECK(loops_of(program, "P") == "i h");
  CHECK(allocating_loops(program.mapping, "P") == std::vector<Path>{{0}});
}

TEST_CASE("compute_at in tiles computes the rows around each tile", "[compute_at]") {
  const Program tiled = split(stencil(), {"Q", "i"}, 32, "i0", "i1");
  CHECK(runs(compute_at(tiled, "P", {{"Q", "i0"}}), "P",
             "[N] -> { P[h] -> [0, t, 0, h, 0] : 0 <= 32t < N and 32t <= h <= 32t + 32 and "
             "h <= N }"));
  CHECK(runs(compute_at(tiled, "P", {{"Q", "i1"}}), "P",
             "[N] -> { P[h] -> [0, t, 0, i, 0, h, 0] : 0 <= i < 32 and 0 <= 32t + i < N and "
             "32t + i <= h <= 32t + i + 1 }"));
}

TEST_CASE("compute_at takes the loops of the producer along", "[compute_at]") {
  Program program = parallelize(split(stencil(), {"P", "h"}, 4, "i", "x"), {"P", "x"});
  program = compute_at(program, "P", {{"Q", "i"}});
  CHECK(loops_of(program, "P") == "i i2 x:parallel");
  CHECK(runs(program, "P",
             "[N] -> { P[h] -> [0, i, 0, floor(h/4), 0, h mod 4, 0] : 0 <= i < N and "
             "i <= h <= i + 1 }"));
}

TEST_CASE("compute_at under two readers has a branch for each", "[compute_at]") {
  const Program before = two_readers();
  const Program program = compute_at(before, "P", {{"Q", "i"}, {"R", "i"}});
  CHECK(runs(program, "P",
             "[N] -> { P[h] -> [0, i, 0, h, 0] : 0 <= i < N and i <= h <= i + 1; "
             "P[h] -> [1, i, 0, h, 0] : 0 <= i < N and h = i + 1 }"));
  CHECK(allocating_loops(program.mapping, "P") == std::vector<Path>{{0}, {1}});
  const Program swapped = compute_at(before, "P", {{"R", "i"}, {"Q", "i"}});
  CHECK(same_schedule(program, swapped));
}

TEST_CASE("compute_at in a loop of two readers serves both", "[compute_at]") {
  const Program program = compute_at(after(two_readers(), "R", "Q", "i"), "P", {{"R", "i"}});
  CHECK(runs(program, "P", "[N] -> { P[h] -> [0, i, 0, h, 0] : 0 <= i < N and i <= h <= i + 1 }"));
}

TEST_CASE("compute_at with values that read their own", "[compute_at]") {
  // C(i, k) from C(i, k - 1), and D(i) = C(i, 3).
  const Var i = range("i", "N"), k("k", 0, 9);
  Program program =
      define(empty_program({"N"}), "C", {i, k}, select(k > 0, at("C", {i, k - 1}), 0.0f) + 1.0f);
  program = define(program, "D", {i}, at("C", {i, Expr(3)}));
  program = compute_at(program, "C", {{"D", "i"}});
  CHECK(runs(program, "C", "[N] -> { C[i, k] -> [0, i, 0, i, 0, k, 0] : 0 <= k <= 3 }"));
}

TEST_CASE("compute_at and changes of the loops commute", "[compute_at]") {
  const Program before = stencil();
  const Program placed = compute_at(before, "P", {{"Q", "i"}});
  CHECK(same_schedule(reverse(placed, {"Q", "i"}),
                      compute_at(reverse(before, {"Q", "i"}), "P", {{"Q", "i"}})));
  CHECK(same_schedule(split(placed, {"P", "h"}, 2, "a", "b"),
                      compute_at(split(before, {"P", "h"}, 2, "a", "b"), "P", {{"Q", "i"}})));
}

TEST_CASE("compute_at is refused when iterations would write one place at once", "[compute_at]") {
  const Var i("i"), h("h");
  Program program = define(stencil(), "Z", {range("i", "N")}, cast(f32, i));
  program = store_in(program, "P", "b", {h}, {h});
  program = store_in(program, "Z", "b", {i}, {i + parameter("N") + 1});
  program = parallelize(program, {"Q", "i"});
  const Refusal refusal = refusal_of([&] { compute_at(program, "P", {{"Q", "i"}}); });
  CHECK(refusal.code == Code::E0303_race);
  CHECK(refusal.command == "compute_at(P, Q.i)");
  REQUIRE(refusal.witness);
  CHECK(refusal.witness->parameters == "N = 2");
  REQUIRE(refusal.witness->executions.size() == 2);
  CHECK(refusal.witness->executions[0].instance == "P[1]");
  CHECK(refusal.witness->executions[0].time == "[0, 0, 0, 1, 0] and [0, 1, 0, 1, 0]");
}

TEST_CASE("compute_at names the computations and loops there are", "[compute_at]") {
  const auto refusal = refusal_of([] { compute_at(stencil(), "P", {{"Q", "k"}}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "Q has no loop k; it has i");
  CHECK(refusal_of([] { compute_at(stencil(), "X", {{"Q", "i"}}); }).code ==
        Code::E0101_unknown_computation);
  CHECK(refusal_of([] { compute_at(stencil(), "P", {{"X", "i"}}); }).code ==
        Code::E0101_unknown_computation);
}

TEST_CASE("compute_at names the reader that is left out", "[compute_at]") {
  const auto refusal = refusal_of([] { compute_at(two_readers(), "P", {{"Q", "i"}}); });
  CHECK(refusal.code == Code::E0107_wrong_owners);
  CHECK(refusal.explanation == "R also reads P, outside the loop named");
}

TEST_CASE("compute_at refuses loops that do not serve", "[compute_at]") {
  const auto code = [](const Program& program, const std::string& producer,
                       const std::vector<LoopRef>& loops) {
    return refusal_of([&] { compute_at(program, producer, loops); }).code;
  };
  CHECK(code(stencil(), "P", {{"P", "h"}}) == Code::E0106_bad_argument);
  CHECK(code(stencil(), "Q", {{"P", "h"}}) == Code::E0106_bad_argument);
  CHECK(code(stencil(), "P", {{"Q", "i"}, {"Q", "i"}}) == Code::E0106_bad_argument);
  const Program twice = compute_at(two_readers(), "P", {{"Q", "i"}, {"R", "i"}});
  CHECK(code(twice, "P", {{"Q", "i"}}) == Code::E0107_wrong_owners);
}

TEST_CASE("compute_at given again forgets the places before", "[compute_at]") {
  const Program once = compute_at(two_readers(), "P", {{"Q", "i"}, {"R", "i"}});
  const Program tiled = split(once, {"Q", "i"}, 4, "i0", "i1");
  const Program again = compute_at(tiled, "P", {{"Q", "i1"}, {"R", "i"}});
  const Program fresh =
      compute_at(split(two_readers(), {"Q", "i"}, 4, "i0", "i1"), "P", {{"Q", "i1"}, {"R", "i"}});
  REQUIRE(branches_of(again.mapping, "P").size() == 2);
  CHECK(runs_as(again, fresh, "P"));
  CHECK(allocating_loops(again.mapping, "P") == allocating_loops(fresh.mapping, "P"));
}

TEST_CASE("compute_at root undoes compute_at", "[compute_at]") {
  const Program before = two_readers();
  const Program placed = compute_at(before, "P", {{"Q", "i"}, {"R", "i"}});
  const Program back = compute_at_root(placed, "P");
  CHECK(same_schedule(back, before));
  CHECK(allocating_loops(back.mapping, "P").empty());
  CHECK(refusal_of([&] { compute_at_root(before, "X"); }).code == Code::E0101_unknown_computation);
}

TEST_CASE("what is computed in the loops of a computation goes where that goes", "[compute_at]") {
  // P is computed in a loop of Q, and then Q in one of R: the same as if Q had been placed first.
  const Program inner_first = compute_at(compute_at(chain(), "P", {{"Q", "j"}}), "Q", {{"R", "i"}});
  const Program outer_first = compute_at(compute_at(chain(), "Q", {{"R", "i"}}), "P", {{"Q", "j"}});
  CHECK(runs_as(inner_first, outer_first, "P"));
  CHECK(runs_as(inner_first, outer_first, "Q"));
  CHECK(allocating_loops(inner_first.mapping, "P") == allocating_loops(outer_first.mapping, "P"));
  CHECK(allocating_loops(inner_first.mapping, "Q") == allocating_loops(outer_first.mapping, "Q"));
  // The same if Q is moved beside another computation.
  const Program beside = after(compute_at(chain(), "P", {{"Q", "j"}}), "R", "Q", "i");
  const Program moved = after(beside, "R", "Q", std::nullopt);
  CHECK(branches_of(moved.mapping, "P").front().branch->reader_loops == 2);
}

TEST_CASE("a computation cannot be placed beside what is computed in its loops", "[compute_at]") {
  const Program placed = compute_at(stencil(), "P", {{"Q", "i"}});
  CHECK(refusal_of([&] { after(placed, "Q", "P", std::nullopt); }).code ==
        Code::E0106_bad_argument);
}

// P is computed in loop i of Q, in a loop that it shares with Q, and in which Q reads it through a
// copy. To move Q into the loops of another computation moves P, and the copy as if it were P's.
TEST_CASE("compute_at refuses to move what shares loops with a computation inside",
          "[compute_at]") {
  const Var i = range("i", "N"), j = range("j", "N");
  Program program = define(empty_program({"N"}), "P", {i, j}, cast(f32, i * 2));
  program = define(program, "Q", {i, Var("j", i + 0, parameter("N"))}, at("P", {i, j}) + 1.0f);
  program = compute_at(program, "P", {{"Q", "i"}});
  program = fuse(program, {"P", "i2"}, {"Q", "j"});
  program = cache_at(program, {"Q", "i2"}, "P", "copy", {"c0", "c1"});
  program = copy_at(program, {"Q", "i"}, "made", {"v0", "v1"});
  const Refusal refusal = refusal_of([&] { compute_at(program, "made", {{"Q", "v0"}}); });
  CHECK(refusal.code == Code::E0107_wrong_owners);
  CHECK(refusal.explanation ==
        "made reads copy, which is also in loops of another computation that would move");
}

}  // namespace strata::test::compute_at_test
