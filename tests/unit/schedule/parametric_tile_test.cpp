// Tiles whose size is a parameter of the program.
#include "layers/flow/order.h"
#include "layers/text/text.h"
#include "layers/verify/verify_mapping.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/reverse.h"
#include "schedule/commands/loops/set_schedule.h"
#include "schedule/commands/loops/shift.h"
#include "schedule/commands/loops/skew.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/table/command_table.h"
#include "tests/unit/programs.h"

namespace strata::test::parametric_tile_test {

namespace {

const Param T("T"), U("U");
const std::vector<LoopRef> i_and_j{{"S", "i"}, {"S", "j"}};

Program with_sizes(Program program) {
  return with_parameter(with_parameter(program, "T", asked), "U", asked);
}

Program tiled(const Program& program) {
  return tile(with_sizes(program), i_and_j, {T, U}, {"i0", "j0"}, {"i1", "j1"});
}

}  // namespace

TEST_CASE("a parametric tile keeps the iterators, and knows its size", "[parametric]") {
  const auto program = tiled(grid());
  CHECK(loops_of(program, "S") == "i0 j0 i1 j1");
  CHECK(runs(program, "S", "{ S[i, j] -> [0, i, 0, j, 0, i, 0, j, 0] }"));
  const auto loops = branches(program.mapping).front().loops;
  CHECK(loops[0]->tile_size == "T");
  CHECK(loops[1]->tile_size == "U");
  CHECK_FALSE(loops[2]->tile_size);
  const Command command{"tile", {i_and_j[0], i_and_j[1], T, U, "i0", "j0", "i1", "j1"}};
  CHECK(applied(with_sizes(grid()), command).history.back() ==
        "tile(S.i, S.j, T, U, i0, j0, i1, j1)");
  CHECK(isl::set(program.algorithm->context)
            .is_equal(isl::set(program.session->isl(), "[N, M, T, U] -> { : T >= 1 and U >= 1 }")));
  REQUIRE(program.algorithm->assumed.size() == 2);
  CHECK(tile(program, {{"S", "i1"}, {"S", "j1"}}, {T, 4}).algorithm->assumed.size() == 2);
}

TEST_CASE("a parametric tile is two splits and an interchange", "[parametric]") {
  auto program = with_sizes(grid());
  const auto whole = tile(program, i_and_j, {T, 8}, {"i0", "j0"}, {"i1", "j1"});
  auto steps = split(split(program, {"S", "i"}, T, "i0", "i1"), {"S", "j"}, 8, "j0", "j1");
  steps = interchange(steps, {"S", "i1"}, {"S", "j0"});
  CHECK(same_schedule(steps, whole));
  for (int level = 0; level < 4; ++level)
    CHECK(branches(steps.mapping).front().loops[std::size_t(level)]->tile_size ==
          branches(whole.mapping).front().loops[std::size_t(level)]->tile_size);
}

TEST_CASE("a parametric tile is refused where some size is illegal", "[parametric]") {
  const auto refusal = refusal_of([] { tiled(antidiagonal()); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  // By tiles of 2 x 1, column after column: (0, 0), (1, 0), then (0, 1).
  CHECK(witness_text(refusal) ==
        "N = 2, T = 2, U = 1: S[0, 1] at [0, 0, 0, 1, 0, 0, 0, 1, 0]; "
        "S[1, 0] at [0, 0, 0, 0, 0, 1, 0, 0, 0]");
  CHECK_NOTHROW(tiled(sums_of_neighbours()));
  CHECK_NOTHROW(tiled(skew(antidiagonal(), {"S", "i"}, {"S", "j"}, 2, 1)));
  // Tiling a single loop never changes the order.
  CHECK_NOTHROW(split(with_sizes(antidiagonal()), {"S", "i"}, T));
}

TEST_CASE("parametric tiles run in parallel where all sizes permit it", "[parametric]") {
  CHECK_NOTHROW(parallelize(tiled(row_sums()), {"S", "i0"}));
  auto refusal = refusal_of([] { parallelize(tiled(row_sums()), {"S", "j0"}); });
  CHECK(refusal.code == Code::E0202_dependence_carried);
  refusal = refusal_of([] { parallelize(tiled(sums_of_neighbours()), {"S", "i0"}); });
  CHECK(refusal.code == Code::E0202_dependence_carried);
}

TEST_CASE("a parametric size is a parameter of the program", "[parametric]") {
  auto refusal = refusal_of([] { split(grid(), {"S", "i"}, T); });
  CHECK(refusal.code == Code::E0101_unknown_computation);
  CHECK(refusal.explanation == "the program has no parameter T");
  refusal = refusal_of([] { tile(with_sizes(grid()), i_and_j, {T, 0}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  refusal = refusal_of([] { tile(with_sizes(grid()), {{"S", "i"}, {"S", "k"}}, {T, T}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
}

TEST_CASE("commands that need the tile size are refused on parametric tiles", "[parametric]") {
  const auto program = tiled(grid());
  const LoopRef tiles{"S", "i0"}, more{"S", "j0"};
  for (const std::function<void()>& command : std::vector<std::function<void()>>{
           [&] { reverse(program, tiles); }, [&] { shift(program, tiles, Expr(1)); },
           [&] { skew(program, tiles, more, 1, 1); }, [&] { split(program, tiles, 2); },
           [&] { split(program, tiles, T); }, [&] { tile(program, {tiles, more}, {2, 2}); },
           [&] { vectorize(program, tiles, 8); }, [&] { unroll(program, tiles, 2); },
           [&] { vectorize(program, {"S", "j1"}); }, [&] { unroll(program, {"S", "i1"}); }}) {
    const auto refusal = refusal_of(command);
    INFO(refusal.command << ": " << refusal.explanation);
    CHECK((refusal.code == Code::E0106_bad_argument));
    CHECK(refusal.mend != "");
  }
  CHECK_NOTHROW(interchange(program, tiles, more));
  CHECK_NOTHROW(skew(program, {"S", "i1"}, {"S", "j1"}, 1, 1));
  CHECK_NOTHROW(reverse(program, {"S", "j1"}));
}

TEST_CASE("a map does not put a computation into tiles of parametric sizes", "[parametric]") {
  auto program = with_sizes(three_stages());
  program = split(split(program, {"P", "i"}, T, "i0", "i1"), {"Q", "i"}, T, "i0", "i1");
  program = fuse(program, {"P", "i0"}, {"Q", "i0"});
  const std::string map = "{ Q[i, j] -> [0, i, 1, i, 0, j, 0] }";
  CHECK(refusal_of([&] { set_schedule(program, "Q", map); }).code == Code::E0106_bad_argument);
  CHECK_NOTHROW(set_schedule(program, "R", "{ R[i, j] -> [1, i, 0, j, 0] }"));
}

TEST_CASE("loops over tiles are fused where the sizes are the same", "[parametric]") {
  auto program = with_sizes(three_stages());
  program = split(split(program, {"P", "i"}, T), {"Q", "i"}, T);
  program = split(program, {"R", "i"}, U);
  CHECK_NOTHROW(fuse(program, {"P", "i"}, {"Q", "i"}));
  const auto refusal = refusal_of([&] { fuse(program, {"Q", "i"}, {"R", "i"}); });
  CHECK(refusal.code == Code::E0205_tags_differ);
  CHECK(refusal.explanation ==
        "loop i of Q is over tiles of size T, but loop i of R is over tiles of size U");
}

TEST_CASE("two instances may not meet in one tile", "[parametric]") {
  Program program = with_sizes(grid());
  program.mapping.roots.front().loop().tile_size = "T";  // nothing inside distinguishes the i
  try {
    verify_mapping(program, asked);
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.code() == Code::E0203_not_injective);
  }
  program = tiled(grid());
  program.mapping.roots.front().loop().processor = Processor::vector;
  CHECK_THROWS_AS(verify_mapping(program, asked), Error);
}

TEST_CASE("the order of parametric tiles is what holds for every size", "[parametric]") {
  Program p = three_stages();
  const auto order = [&](Processor outer) {
    p.mapping.roots.front().loop().processor = outer;
    p.mapping.roots.front().loop().tile_size = "T";
    return branches(p.mapping).front();
  };
  const auto equals = [&](const isl::map& relation, const char* text) {
    return relation.is_equal(isl::map(p.session->isl(), text));
  };
  Placed s = order(Processor::sequential);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] : a > c or b >= d }"));
  CHECK(equals(not_before_other(s, s), "{ [a, b] -> [c, d] : a > c or b > d }"));
  CHECK(concurrent(s, s).is_empty());
  s = order(Processor::parallel);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] : a != c or b >= d }"));
  CHECK(equals(concurrent(s, s), "{ [a] -> [c] : a != c }"));
}

TEST_CASE("a buffer of a parametric tile holds what the tile needs", "[parametric]") {
  auto program = with_sizes(stencil());
  program = split(program, {"Q", "i"}, T, "i0", "i1");
  const auto computed = compute_at(program, "P", {{"Q", "i0"}});
  CHECK(loops_of(computed, "P") == "i0 h");
  CHECK(runs(computed, "P",
             "[N, T] -> { P[h] -> [0, i, 0, h, 0] : i <= h <= i + 1 and 0 <= i < N and T >= 1 }"));
  // P(h) and P(h + 2) share a place, and a tile if it is large enough.
  CHECK_NOTHROW(store_in(computed, "P", "b", {Var("h")}, {Var("h")}, {}));
  const auto refusal =
      refusal_of([&] { store_in(computed, "P", "b", {Var("h")}, {Var("h") % 2}, {}); });
  CHECK(refusal.code == Code::E0301_value_overwritten);
}

TEST_CASE("a program with parametric tiles parses back", "[parametric]") {
  const auto program = parallelize(tiled(grid()), {"S", "i0"});
  const std::string text = to_text(program);
  CHECK(text.find("loop i0 parallel tiles T {") != std::string::npos);
  CHECK(text.find("loop j0 tiles U {") != std::string::npos);
  CHECK(to_text(transfer(program, std::make_shared<Session>())) == text);
}

}  // namespace strata::test::parametric_tile_test
