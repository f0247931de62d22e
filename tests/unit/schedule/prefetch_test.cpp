#include "schedule/commands/storage/prefetch.h"

#include "layers/verify/verify_mapping.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/rfactor.h"
#include "schedule/commands/loops/set_schedule.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/order/distribute_loop.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/commands/order/inline_computation.h"
#include "schedule/commands/storage/allocate_at.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/commands/storage/copy_at.h"
#include "schedule/commands/storage/set_memory.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/table/command_table.h"
#include "tests/unit/programs.h"

namespace strata::test::prefetch_test {

namespace {

// "i: S in 2; j: T P 1": the prefetches of each loop, outermost first.
std::string prefetches_of(const Program& program) {
  std::string text;
  Mapping mapping = program.mapping;
  for_each_loop(mapping, [&](Loop& loop) {
    for (const Prefetch& p : loop.prefetches)
      text += (text.empty() ? "" : "; ") + loop.name + ": " + p.definition + " " + p.array + " " +
              std::to_string(p.distance);
  });
  return text;
}

// T(i, j) = P(i, j) in the loop i of P(i, j) = in(i, j).
Program two_in_a_loop() {
  Var i = range("i", "N"), j = range("j", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  program = define(program, "P", {i, j}, at("in", {i, j}));
  program = define(program, "T", {i, j}, at("P", {i, j}) * 2.0f);
  return fuse(program, {"P", "i"}, {"T", "i"});
}

Program gather() {
  auto program = with_input(empty_program({"N"}), "index", i64, {parameter("N")}, asked);
  program = with_input(program, "in", f32, {parameter("N")}, asked);
  const Expr i = variable("i");
  return define(program, "S", {range("i", "N")}, at("in", {access("index", i64, {i})}));
}

}  // namespace

TEST_CASE("prefetch marks a loop, and the schedule stays", "[prefetch]") {
  const Program before = grid(), after = prefetch(before, {"S", "i"}, "in", 2);
  CHECK(prefetches_of(after) == "i: S in 2");
  CHECK(same_schedule(before, after));
  CHECK(applied(before, {"prefetch", {LoopRef{"S", "i"}, "in", 2}}).history.back() ==
        "prefetch(S.i, in, 2)");
  CHECK(prefetches_of(prefetch(after, {"S", "i"}, "in", 2)) == "i: S in 2");
  CHECK(prefetches_of(prefetch(after, {"S", "j"}, "in", 5)) == "i: S in 2; j: S in 5");
}

TEST_CASE("prefetches of a loop go where the loop goes", "[prefetch]") {
  const Program program = prefetch(grid(), {"S", "i"}, "in", 2);
  const LoopRef i{"S", "i"}, j{"S", "j"};
  const Program moved = interchange(program, i, j);
  CHECK(loops_of(moved, "S") == "j i");
  CHECK(prefetches_of(moved) == prefetches_of(prefetch(interchange(grid(), i, j), i, "in", 2)));
  CHECK(prefetches_of(split(program, i, 4)) == "i_in: S in 2");
  CHECK(prefetches_of(tile(program, {i, j}, {4, 8})) == "i_in: S in 2");
  CHECK(prefetches_of(set_schedule(two_in_a_loop(), "T", "{ T[i, j] -> [7, j, 0, i, 0] }")) == "");
}

TEST_CASE("prefetches are made for whoever reads, and gone with the reading", "[prefetch]") {
  const Program both = prefetch(two_in_a_loop(), {"P", "i"}, "in", 1);
  const Program whole = prefetch(both, {"T", "i"}, "P", 3);
  CHECK(prefetches_of(whole) == "i: P in 1; i: T P 3");
  CHECK(prefetches_of(distribute_loop(whole, {"P", "i"})) == "i: P in 1; i: T P 3");
  CHECK(prefetches_of(inline_computation(whole, "P")) == "");
  CHECK(prefetches_of(cache_at(both, {"P", "i"}, "in", "row", {"x", "y"})) == "i: row in 1");
  CHECK(prefetches_of(copy_at(both, {"P", "i"}, "made", {"y", "z"})) == "i: made in 1");
  const Program sum = prefetch(split(sums(), {"C", "k"}, 4, "k0", "k1"), {"C", "i"}, "in", 1);
  CHECK(prefetches_of(rfactor(sum, {"C", "k1"}, "part")) == "i: part in 1");
}

TEST_CASE("fused loops prefetch for both", "[prefetch]") {
  Program program = prefetch(three_stages(), {"Q", "i"}, "P", 1);
  program = prefetch(program, {"R", "i"}, "Q", 2);
  CHECK(prefetches_of(fuse(program, {"Q", "i"}, {"R", "i"})) == "i: Q P 1; i: R Q 2");
  CHECK(refusal_of([&] { compute_at(program, "Q", {{"R", "j"}}); }).mend ==
        "leave out prefetch, or prefetch the data that the buffer is computed from");
  const Program own = prefetch(three_stages(), {"Q", "i"}, "P", 1);
  CHECK(prefetches_of(compute_at(own, "Q", {{"R", "i"}})) == "i2: Q P 1");
}

TEST_CASE("prefetch is refused of a loop without iterations of its own", "[prefetch]") {
  const LoopRef lane{"S", "j_lane"}, unrolled{"S", "i_unroll"};
  const Program vectors = vectorize(grid(), {"S", "j"}, 8);
  const Refusal in_lanes = refusal_of([&] { prefetch(vectors, lane, "in", 1); });
  CHECK(in_lanes.code == Code::E0106_bad_argument);
  CHECK(in_lanes.explanation ==
        "loop j_lane cannot prefetch in for S: the lanes of loop j_lane run together");
  CHECK(in_lanes.mend == "prefetch at a loop around it, after the loops are tagged");
  CHECK(prefetches_of(prefetch(vectors, {"S", "j"}, "in", 1)) == "j: S in 1");
  const Program around = vectorize(grid(), {"S", "i"}, 4);
  CHECK(refusal_of([&] { prefetch(around, {"S", "j"}, "in", 1); }).explanation ==
        "loop j cannot prefetch in for S: the lanes of loop i_lane run together");
  CHECK(
      refusal_of([&] { prefetch(unroll(grid(), {"S", "i"}, 2), unrolled, "in", 1); }).explanation ==
      "loop i_unroll cannot prefetch in for S: loop i_unroll is unrolled, so no iterations of it "
      "remain in the code");
}

TEST_CASE("a later command is refused what prefetch is refused", "[prefetch]") {
  const Program program = prefetch(grid(), {"S", "j"}, "in", 8);
  const Refusal refusal = refusal_of([&] { vectorize(program, {"S", "j"}, 8); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.command == "vectorize(S.j, 8)");
  CHECK(refusal_of([&] { unroll(program, {"S", "j"}, 8); }).code == Code::E0106_bad_argument);
  const Program sized = with_parameter(program, "T", asked);
  CHECK(refusal_of([&] {
          prefetch(split(sized, {"S", "i"}, Param("T")), {"S", "i"}, "in", 1);
        }).mend == "prefetch at a loop inside a tile, or give tile a constant size");
  CHECK(prefetches_of(split(sized, {"S", "j"}, Param("T"))) == "j_in: S in 8");
}

TEST_CASE("prefetch is refused of memory that later iterations do not have", "[prefetch]") {
  const Program program = prefetch(two_in_a_loop(), {"T", "i"}, "P", 1);
  const Refusal scoped = refusal_of([&] { allocate_at(program, "P", LoopRef{"T", "i"}); });
  CHECK(scoped.code == Code::E0106_bad_argument);
  CHECK(scoped.explanation ==
        "loop i cannot prefetch P for T: each iteration of loop i allocates its "
        "own P, so data for a later one cannot be loaded");
  const Program inside =
      prefetch(allocate_at(two_in_a_loop(), "P", LoopRef{"T", "i"}), {"T", "j"}, "P", 1);
  CHECK(prefetches_of(inside) == "j: T P 1");
  const Program stored =
      store_in(two_in_a_loop(), "P", "P", {Var("i"), Var("j")}, {Var("i"), Var("j")}, {});
  CHECK(refusal_of([&] {
          prefetch(set_memory(stored, "P", Memory::stack), {"T", "j"}, "P", 1);
        }).explanation ==
        "loop j cannot prefetch P for T: P is on the stack, which is in cache already");
}

TEST_CASE("prefetch is refused where the elements read depend on data", "[prefetch]") {
  const Refusal refusal = refusal_of([] { prefetch(gather(), {"S", "i"}, "in", 1); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation ==
        "the elements of in that S reads are not known in advance: an index or a "
        "condition is not affine");
  CHECK(refusal.mend == "prefetch the array that the index is read from");
  CHECK(prefetches_of(prefetch(gather(), {"S", "i"}, "index", 1)) == "i: S index 1");
}

TEST_CASE("prefetch takes a number of iterations", "[prefetch]") {
  for (const std::int64_t distance :
       {std::int64_t{0}, std::int64_t{-3}, std::int64_t{1'000'000'000}})
    CHECK(refusal_of([&] { prefetch(grid(), {"S", "i"}, "in", distance); }).code ==
          Code::E0106_bad_argument);
  CHECK(refusal_of([] { prefetch(grid(), {"S", "i"}, "in", 0); }).explanation ==
        "the distance is 0");
}

TEST_CASE("prefetch names what it does not find", "[prefetch]") {
  CHECK(refusal_of([] { prefetch(grid(), {"T", "i"}, "in", 1); }).code ==
        Code::E0101_unknown_computation);
  CHECK(refusal_of([] { prefetch(grid(), {"S", "k"}, "in", 1); }).explanation ==
        "S has no loop k; it has i, j");
  CHECK(refusal_of([] { prefetch(grid(), {"S", "i"}, "out", 1); }).explanation ==
        "S does not read out");
}

TEST_CASE("R207: a loop prefetches for branches inside it", "[layers][prefetch]") {
  Program program = three_stages();
  program.mapping.roots[0].loop().prefetches = {{"R", "P", 1}};
  CHECK(refusal_of([&] { verify_mapping(program, asked); }).code == Code::E0208_malformed_schedule);
  CHECK(prefetches_of(interchange(program, {"R", "i"}, {"R", "j"})) == "");
}

}  // namespace strata::test::prefetch_test
