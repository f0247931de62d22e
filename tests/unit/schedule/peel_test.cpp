#include "schedule/commands/loops/peel.h"

#include "layers/flow/initial_values.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/set_schedule.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/order/distribute_loop.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/commands/storage/allocate_at.h"
#include "schedule/commands/storage/copy_at.h"
#include "tests/unit/programs.h"

namespace strata::test::peel_test {

namespace {

// "head: i_head j, rest: i j": the pieces of a definition, with the loops around them.
std::string pieces(const Program& program, const std::string& definition) {
  std::string text;
  for (const Placed& placed : branches_of(program.mapping, definition))
    text += (text.empty() ? "" : ", ") + placed.branch->piece + ": " + loops_around(placed);
  return text;
}

}  // namespace

TEST_CASE("peel splits the first iterations off", "[peel]") {
  const auto program = peel(grid(), {"S", "i"}, 3);
  CHECK(runs(program, "S",
             "{ S[i, j] -> [0, i, 0, j, 0] : i < 3; S[i, j] -> [1, i, 0, j, 0] : i >= 3 }"));
  CHECK(pieces(program, "S") == "head: i_head j, rest: i j");
}

TEST_CASE("peel splits the last iterations off", "[peel]") {
  const auto program = peel(grid(), {"S", "j"}, -2, "edge");
  CHECK(runs(program, "S",
             "[M] -> { S[i, j] -> [0, i, 0, j, 0] : j < M - 2; S[i, j] -> [0, i, 1, j, 0] : j >= M "
             "- 2 }"));
  CHECK(pieces(program, "S") == "rest: i j, edge: i j_edge");
}

TEST_CASE("peel splits off all that stands in the loop", "[peel]") {
  const auto start = parallelize(after(three_stages(), "Q", "P", "i"), {"P", "i"});
  const auto program = peel(start, {"Q", "i"}, 1);
  CHECK(runs(program, "P", "{ P[0, j] -> [0, 0, 0, j, 0]; P[i, j] -> [1, i, 0, j, 0] : i > 0 }"));
  CHECK(runs(program, "Q", "{ Q[0, j] -> [0, 0, 1, j, 0]; Q[i, j] -> [1, i, 1, j, 0] : i > 0 }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [2, i, 0, j, 0] }"));
  CHECK(pieces(program, "P") == "head: i_head:parallel j, rest: i:parallel j");
}

TEST_CASE("the first iteration of a loop is that of all computations in it", "[peel]") {
  // P runs from 0, Q at its reader's iterations less 2.
  auto program = set_schedule(stencil(), "Q", "{ Q[i] -> [0, i + 2, 1] }");
  program = peel(program, {"P", "h"}, 2);
  CHECK(runs(program, "P", "{ P[h] -> [0, h, 0] : h < 2; P[h] -> [1, h, 0] : h >= 2 }"));
  CHECK(runs(program, "Q", "{ Q[i] -> [1, i + 2, 1] }"));
}

TEST_CASE("peel counts from the first iteration inside the loops around", "[peel]") {
  // for t0 = j - i: for t1 = i: the first t1 is max(0, -t0).
  const auto start = set_schedule(grid(), "S", "{ S[i, j] -> [0, j - i, 0, i, 0] }");
  const auto program = peel(start, {"S", "i"}, 1);
  CHECK(runs(program, "S",
             "{ S[i, j] -> [0, j - i, 0, i, 0] : i = 0 or j = 0; "
             "S[i, j] -> [0, j - i, 1, i, 0] : i > 0 and j > 0 }"));
}

TEST_CASE("peeled iterations fused again run as before", "[peel]") {
  const Program before = grid();
  for (const std::int64_t n : {1, 3, -2}) {
    const Program peeled = peel(before, {"S", "i"}, n, "part");
    const Program fused = fuse(peeled, {"S", "i", "rest"}, {"S", "i_part", "part"});
    isl::map times = isl::map(branches_of(fused.mapping, "S")[0].branch->time);
    isl::set empty = isl::set(before.algorithm->find("S")->domain);
    isl::map all = isl::map::empty(times.space());
    for (const Placed& placed : branches_of(fused.mapping, "S"))
      all = all.unite(executions(*placed.branch));
    CHECK(all.is_equal(executions(*branches_of(before.mapping, "S").front().branch)));
    const Program again = set_schedule(fused, "S", "{ S[i, j] -> [0, i, 0, j, 0] }");
    CHECK(same_schedule(again, before));
  }
}

TEST_CASE("peeling twice and peeling more is the same", "[peel]") {
  const Program before = grid();
  const Program twice = peel(peel(before, {"S", "i"}, 2), {"S", "i"}, 3);
  CHECK(pieces(twice, "S") == "head: i_head j, head2: i_head j, rest: i j");
  const Program once = peel(before, {"S", "i"}, 5);
  const auto last = [](const Program& program) {
    return branches_of(program.mapping, "S").back().branch->instances;
  };
  CHECK(isl::set(last(twice)).is_equal(last(once)));
}

TEST_CASE("commands are given to one piece", "[peel]") {
  auto program = peel(grid(), {"S", "i"}, 3);
  program = vectorize(program, {"S", "j", "rest"}, 8);
  program = split(program, {"S", "i", "rest"}, 4);
  CHECK(pieces(program, "S") == "head: i_head j, rest: i i_in j j_lane:vector");
}

TEST_CASE("peel keeps the order of contributions, and results begin once", "[peel]") {
  const Program start = sums();
  for (const std::int64_t n : {2, -2}) {
    CHECK_NOTHROW(peel(start, {"C", "k"}, n));
    CHECK_NOTHROW(peel(start, {"C", "i"}, n));
    CHECK_NOTHROW(peel(peel(start, {"C", "i"}, n), {"C", "k", "rest"}, n));
    // A buffer that each iteration has for itself.
    const Program scratch = copy_at(start, {"C", "i"}, "made", {"x"});
    CHECK_NOTHROW(peel(scratch, {"C", "i"}, n));
    CHECK_NOTHROW(peel(scratch, {"made", "k"}, n));
  }
}

TEST_CASE("each result begins once, before the first piece that contributes to it", "[peel]") {
  const Var i = range("i", "N"), j = range("j", "N"), k = range("k", "M");
  Program program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  program = define(program, "C", {i, j}, sum(k, at("in", {i, k})));
  program = distribute_loop(peel(program, {"C", "k"}, 2), {"C", "j"});
  program = peel(program, {"C", "j", "head"}, -3);
  CHECK(pieces(program, "C") == "head: i j k_head, tail: i j_tail k_head, rest: i j k");
  Program complete = program;
  complete.mapping = complete_mapping(program);
  isl::set begun = isl::set::empty(isl::set(program.algorithm->find("C_init")->domain).space());
  for (const Placed& placed : branches_of(complete.mapping, "C_init")) {
    const isl::set more = executions(*placed.branch).domain();
    CHECK(begun.is_disjoint(more));
    begun = begun.unite(more);
  }
  CHECK(begun.is_equal(program.algorithm->find("C_init")->domain));
}

TEST_CASE("peel of a loop with values computed again and again", "[peel]") {
  const Program start = compute_at(stencil(), "P", {{"Q", "i"}});
  const Program program = peel(start, {"Q", "i"}, 1);
  CHECK(branches_of(program.mapping, "P").size() == 2);
  CHECK(
      theta_of(program, "P")
          .is_equal(isl::union_map(program.session->isl(),
                                   "[N] -> { P[h] -> [0, 0, 0, h, 0] : N > 0 and 0 <= h <= 1; "
                                   "P[h] -> [1, i, 0, h, 0] : 1 <= i < N and i <= h <= i + 1 }")));
}

TEST_CASE("peel inside a vector loop is refused where lanes wait for others", "[peel]") {
  // S[i, j] at [v, t] = [j - i, i]: the first t depends on v.
  const Program start = set_schedule(antidiagonal(), "S", "{ S[i, j] -> [0, i, 0, j, 0] }");
  CHECK_NOTHROW(peel(start, {"S", "j"}, 2));
  const Refusal refusal = refusal_of([&] { peel(start, {"S", "j"}, 0); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "the number of iterations to peel is 0");
}

TEST_CASE("peel is refused without a number, a first iteration or known tiles", "[peel]") {
  const auto code = [](const Program& program, const LoopRef& loop, std::int64_t n) {
    return refusal_of([&] { peel(program, loop, n); }).code;
  };
  CHECK(code(grid(), {"S", "i"}, 2'000'000'000) == Code::E0106_bad_argument);
  CHECK(code(grid(), {"S", "i"}, std::numeric_limits<std::int64_t>::min()) ==
        Code::E0106_bad_argument);
  const Program tiles = split(grid(), {"S", "i"}, Param("N"), "i0", "i1");
  CHECK(code(tiles, {"S", "i0"}, 1) == Code::E0106_bad_argument);
  CHECK(code(tiles, {"S", "i1"}, 1) == Code::E0106_bad_argument);
  Program endless = grid();
  Branch& branch = node_at(endless.mapping, branches(endless.mapping).front().path).branch();
  branch.instances = InstanceSet(endless.session->isl(), "[N, M] -> { S[i, j] : 0 <= j < M }");
  const Refusal refusal = refusal_of([&] { peel(endless, {"S", "i"}, 1); });
  CHECK(refusal.explanation == "loop i has no first iteration");
}

TEST_CASE("peel names what it does not find, and what is taken", "[peel]") {
  CHECK(refusal_of([] { peel(grid(), {"T", "i"}, 1); }).code == Code::E0101_unknown_computation);
  CHECK(refusal_of([] { peel(grid(), {"S", "k"}, 1); }).explanation ==
        "S has no loop k; it has i, j");
  CHECK(refusal_of([] { peel(grid(), {"S", "i"}, 1, "2x"); }).code == Code::E0105_bad_name);
  const Program program = peel(grid(), {"S", "i"}, 1, "a");
  const Refusal taken = refusal_of([&] { peel(program, {"S", "i"}, 1, "a"); });
  CHECK(taken.code == Code::E0104_name_taken);
  CHECK(taken.explanation == "S has a piece a already");
  CHECK(refusal_of([&] { peel(program, {"S", "j"}, 1); }).explanation ==
        "S.j names 2 different loops: S.a.j, S.rest.j");
}

}  // namespace strata::test::peel_test
