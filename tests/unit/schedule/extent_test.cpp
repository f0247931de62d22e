#include "schedule/legality/extent.h"

#include "schedule/commands/loops/shift.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/order/after.h"
#include "tests/unit/programs.h"

namespace strata::test::extent_test {

namespace {

std::optional<std::int64_t> extent_of(const Program& program, const Path& path) {
  return constant_extent(program, path);
}

Program loop_over(const Expr& lower, const Expr& upper) {
  Var i = range("i", "N"), j("j", lower, upper);
  return define(empty_program({"N"}), "S", {i, j}, cast(f32, i + j));
}

}  // namespace

TEST_CASE("the extent of a loop is a constant or has none", "[extent]") {
  const Expr i = variable("i"), n = parameter("N");
  CHECK(extent_of(loop_over(0, 3), {0, 0}) == 3);
  CHECK(extent_of(loop_over(-2, 3), {0, 0}) == 5);
  CHECK(extent_of(loop_over(i, i + 4), {0, 0}) == 4);
  CHECK(extent_of(loop_over(n, n + 7), {0, 0}) == 7);
  CHECK(extent_of(loop_over(0, min(n, 5)), {0, 0}) == 5);
  CHECK(extent_of(loop_over(0, -1), {0, 0}) == 0);
  CHECK(extent_of(loop_over(0, n), {0, 0}) == std::nullopt);
  CHECK(extent_of(loop_over(0, i), {0, 0}) == std::nullopt);
  CHECK(extent_of(loop_over(0, 3), {0}) == std::nullopt);
}

TEST_CASE("the extent of a split loop is at most the size", "[extent]") {
  auto program = split(loop_over(0, parameter("N")), {"S", "j"}, 8);
  CHECK(extent_of(program, {0, 0}) == std::nullopt);
  CHECK(extent_of(program, {0, 0, 0}) == 8);
}

TEST_CASE("the extent is that of all owners together", "[extent]") {
  Var i = range("i", "N"), c("c", 0, 3);
  auto program = define(empty_program({"N"}), "P", {i, c}, cast(f32, i + c));
  program = define(program, "Q", {i, c}, cast(f32, i - c));
  program = after(program, "Q", "P", "c");
  CHECK(extent_of(shift(program, {"Q", "c"}, 2), {0, 0}) == 5);
  CHECK(extent_of(shift(program, {"Q", "c"}, parameter("N")), {0, 0}) == std::nullopt);

  auto tagged = unroll(program, {"P", "c"});
  CHECK_FALSE(find_unbounded_tag(ProgramView(tagged)).has_value());
  auto refusal = refusal_of([&] { shift(tagged, {"Q", "c"}, parameter("N")); });
  CHECK(refusal.explanation ==
        "the unrolled loop c of P would have a number of iterations without a constant bound");
}

}  // namespace strata::test::extent_test
