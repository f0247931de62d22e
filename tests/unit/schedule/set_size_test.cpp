#include "schedule/commands/loops/set_size.h"

#include "schedule/commands/loops/tile.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/storage/set_memory.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/finish.h"
#include "tests/unit/programs.h"

namespace strata::test::set_size_test {

namespace {

const Var i("i"), j("j");
const Expr N = parameter("N"), M = parameter("M");

}  // namespace

TEST_CASE("set_size gives a buffer its extents", "[set_size]") {
  const Program after = set_size(grid(), "S", {N + 2, M});
  REQUIRE(after.layout.find("S")->extents.size() == 2);
  CHECK(same(after.layout.find("S")->extents[0], N + 2));
  CHECK(buffer_of(after.layout, "S") == "S");
}

TEST_CASE("set_size again is the second one", "[set_size]") {
  const Program once = set_size(grid(), "S", {N, 2 * M});
  const Program twice = set_size(set_size(grid(), "S", {N + 7, M}), "S", {N, 2 * M});
  CHECK(same(once.layout.find("S")->extents[1], twice.layout.find("S")->extents[1]));
}

TEST_CASE("set_size is refused where a value would lie outside", "[set_size]") {
  const Refusal r = refusal_of([&] { set_size(grid(), "S", {N, M - 1}); });
  CHECK(r.code == Code::E0302_access_out_of_bounds);
  CHECK(r.witness->parameters == "N = 1, M = 1");
  CHECK(r.witness->executions.front().instance == "S[0, 0]");
  CHECK(r.witness->place == "S[0, 0]");
  const Program sized = set_size(grid(), "S", {N, M});
  CHECK(refusal_of([&] { store_in(sized, "S", "S", {i, j}, {i, j + 1}); }).code ==
        Code::E0302_access_out_of_bounds);
  CHECK_NOTHROW(store_in(set_size(grid(), "S", {N, M + 1}), "S", "S", {i, j}, {i, j + 1}));
}

TEST_CASE("extents are kept from command to command", "[set_size]") {
  Program p = set_size(store_in(grid(), "S", "b", {i, j}, {i % 4, j}), "S", {4, M});
  p = vectorize(p, {"S", "j"}, 8);
  CHECK(p.layout.find("b")->extents.size() == 2);
  CHECK(refusal_of([&] { store_in(p, "S", "b", {i, j}, {i % 5, j}); }).code ==
        Code::E0302_access_out_of_bounds);
}

TEST_CASE("set_size names what it does not find", "[set_size]") {
  CHECK(refusal_of([&] { set_size(grid(), "T", {N}); }).code == Code::E0101_unknown_computation);
  CHECK(refusal_of([&] { set_size(grid(), "S", {N}); }).code == Code::E0109_wrong_arity);
  CHECK(refusal_of([&] { set_size(grid(), "S", {N, parameter("K")}); }).code ==
        Code::E0101_unknown_computation);
  CHECK(refusal_of([&] { set_size(grid(), "S", {N, M * N}); }).code == Code::E0111_not_affine);
  CHECK(refusal_of([&] { set_size(grid(), "S", {N, Expr()}); }).code == Code::E0106_bad_argument);
  const Program over = store_in(grid(), "S", "in", {i, j}, {i, j});
  CHECK(refusal_of([&] { set_size(over, "S", {N, M}); }).code == Code::E0106_bad_argument);
}

TEST_CASE("set_memory marks a buffer, and the schedule stays", "[set_memory]") {
  const Program before = grid(), after = set_memory(before, "S", Memory::stack);
  CHECK(after.layout.find("S")->memory == Memory::stack);
  CHECK(same_schedule(before, after));
  CHECK(set_memory(after, "S", Memory::automatic).layout.find("S")->memory == Memory::automatic);
}

TEST_CASE("an input is in constant memory or nowhere in particular", "[set_memory]") {
  const Program before = grid(), after = set_memory(before, "in", Memory::constant);
  CHECK(after.layout.find("in")->memory == Memory::constant);
  CHECK(same_schedule(before, after));
  const Program back = set_memory(after, "in", Memory::automatic);
  CHECK(back.layout.find("in")->memory == Memory::automatic);
  for (const Memory memory : {Memory::heap, Memory::stack, Memory::shared})
    CHECK(refusal_of([&] { set_memory(before, "in", memory); }).code == Code::E0106_bad_argument);
}

TEST_CASE("set_memory is refused of an argument", "[set_memory]") {
  const Program over = store_in(grid(), "S", "in", {i, j}, {i, j});
  CHECK(refusal_of([&] { set_memory(over, "S", Memory::heap); }).code == Code::E0106_bad_argument);
  const Program heap = set_memory(grid(), "S", Memory::heap);
  CHECK(refusal_of([&] { finished(heap, {"in", "S"}, Given{}); }).code == Code::E0106_bad_argument);
  CHECK(refusal_of([&] { set_memory(grid(), "T", Memory::heap); }).code ==
        Code::E0101_unknown_computation);
}

}  // namespace strata::test::set_size_test
