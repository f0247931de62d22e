// separate, guard and mask: how partial tiles at the domain boundary are executed.
#include "schedule/commands/loops/guard.h"
#include "schedule/commands/loops/mask.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/separate.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/finish.h"
#include "tests/unit/codegen/trace.h"
#include "tests/unit/programs.h"

namespace strata::test::tail_test {

namespace {

// Unrolled rows of 4 and lanes of 8 over N x M, as an output.
Program tiled_grid() {
  auto program = tile(grid(), {{"S", "i"}, {"S", "j"}}, {4, 8}, {"i0", "j0"}, {"i1", "j1"});
  return vectorize(unroll(program, {"S", "i1"}), {"S", "j1"});
}

Kernel kernel_of(const Program& program) { return lowered(finished(program, {"in", "S"}, {})); }

std::vector<std::vector<std::int64_t>> extents_of(const Program& program) {
  return extents_around(kernel_of(program), "S");
}

void require_theta_around_the_border(const Program& program) {
  std::vector<Parameters> sizes;
  for (int n : {0, 1, 4, 6, 9})
    for (int m : {0, 1, 7, 8, 9, 17}) sizes.push_back({{"N", n}, {"M", m}});
  require_theta(finished(program, {"in", "S"}, {}), sizes);
}

int masks_in(const StmtPtr& s) {
  const auto* branch = std::get_if<If>(s.get());
  int count = branch && branch->masks;
  for_each_inside(*s, [&](const StmtPtr& inside) { count += masks_in(inside); });
  return count;
}

const LoopRef rows{"S", "i1"}, lanes{"S", "j1"};

}  // namespace

TEST_CASE("guard makes one copy in which an unrolled loop is unrolled", "[guard]") {
  auto program = guard(mask(tiled_grid(), lanes), rows);
  CHECK(extents_of(program) == std::vector<std::vector<std::int64_t>>{{0, 0, 4, 8}});
  require_theta_around_the_border(program);
  program = guard(tile(grid(), {{"S", "i"}, {"S", "j"}}, {4, 8}, {}, {"i1", "j1"}), rows);
  program = guard(program, lanes);  // sequential: loop bounds instead
  CHECK(extents_of(program) == std::vector<std::vector<std::int64_t>>{{0, 0, 0, 0}});
  require_theta_around_the_border(program);
}

TEST_CASE("mask makes one copy, of which lanes are switched off", "[mask]") {
  const auto program = mask(vectorize(grid(), {"S", "j"}, 8), {"S", "j_lane"});
  CHECK(extents_of(program) == std::vector<std::vector<std::int64_t>>{{0, 0, 8}});
  CHECK(masks_in(kernel_of(program).body) == 1);
  CHECK(masks_in(kernel_of(vectorize(grid(), {"S", "j"}, 8)).body) == 0);
  require_theta_around_the_border(program);
}

TEST_CASE("separate makes a copy for full tiles and one for the rest", "[separate]") {
  const auto program = separate(separate(tiled_grid(), lanes), rows);
  const auto extents = extents_of(program);
  // Iterations of i0 before and after the full ones of a column, and between columns: three places.
  CHECK(std::count(extents.begin(), extents.end(), std::vector<std::int64_t>{0, 0, 4, 8}) >= 1);
  for (const auto& copy : extents) {
    REQUIRE(copy.size() >= 2);
    CHECK(copy[copy.size() - 2] == 4);
    CHECK(copy.back() == 8);
  }
  CHECK(extents.size() <= 3);
  require_theta_around_the_border(program);
}

TEST_CASE("the border does not change the schedule", "[separate]") {
  const auto program = tiled_grid();
  for (const auto& chosen : {guard(program, rows), mask(program, lanes), separate(program, rows)}) {
    CHECK(same_schedule(chosen, program));
    CHECK(loops_of(chosen, "S") == loops_of(program, "S"));
  }
  CHECK(node_at(separate(guard(program, rows), rows).mapping, {0, 0, 0}).loop().tail ==
        TailStrategy::separate);
}

TEST_CASE("a tag that has no such border forgets it", "[mask]") {
  auto program = mask(tiled_grid(), lanes);
  const Path path{0, 0, 0, 0};
  REQUIRE(node_at(program.mapping, path).loop().tail == TailStrategy::mask);
  program = unroll(program, lanes);
  CHECK(node_at(program.mapping, path).loop().tail == TailStrategy::automatic);
  program = vectorize(guard(program, lanes), lanes);
  CHECK(node_at(program.mapping, path).loop().tail == TailStrategy::automatic);
  program = split(separate(program, lanes), lanes, 2);
  CHECK(node_at(program.mapping, path).loop().tail == TailStrategy::automatic);
}

TEST_CASE("guard is refused on a vector and mask on everything else", "[guard]") {
  auto refusal = refusal_of([] { guard(tiled_grid(), lanes); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "loop j1 is a vector loop, whose lanes run together");
  refusal = refusal_of([] { mask(tiled_grid(), rows); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "loop i1 is unrolled, so it has no lanes to mask");
}

TEST_CASE("separate, guard and mask name the loops there are", "[separate]") {
  const LoopRef wrong{"S", "k"};
  for (const auto& refused :
       {refusal_of([&] { separate(grid(), wrong); }), refusal_of([&] { guard(grid(), wrong); }),
        refusal_of([&] { mask(grid(), wrong); })}) {
    CHECK(refused.code == Code::E0102_unknown_loop);
    CHECK(refused.explanation == "S has no loop k; it has i, j");
  }
  CHECK(refusal_of([&] { mask(grid(), {"T", "i"}); }).code == Code::E0101_unknown_computation);
}

}  // namespace strata::test::tail_test
