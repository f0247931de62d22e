#include "schedule/commands/loops/collapse.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/storage/allocate_at.h"
#include "schedule/commands/storage/prefetch.h"
#include "tests/unit/programs.h"

namespace strata::test::collapse_test {

namespace {

const LoopRef i{"S", "i"}, j{"S", "j"};

// S(i, j) over 0 <= i < N and lower <= j < 7 + lower.
Program rows_of_seven(std::int64_t lower) {
  Var i("i", 0, parameter("N")), j("j", lower, 7 + lower);
  return define(empty_program({"N"}), "S", {i, j}, cast(f32, i * 10 + j));
}

}  // namespace

TEST_CASE("collapse counts the iterations of both loops", "[collapse]") {
  const Program program = collapse(rows_of_seven(0), i, j, "");
  CHECK(loops_of(program, "S") == "i");
  CHECK(runs(program, "S", "{ S[i, j] -> [0, 7i + j, 0] }"));
  const Program named = collapse(rows_of_seven(-2), i, j, "both");
  CHECK(loops_of(named, "S") == "both");
  CHECK(runs(named, "S", "{ S[i, j] -> [0, 7i + j + 2, 0] }"));
}

TEST_CASE("split and collapse are the identity", "[collapse]") {
  const Program program = rows_of_seven(1);
  for (const std::int64_t size : {1, 4, 7}) {
    const Program back = collapse(split(program, i, size, "a", "b"), {"S", "a"}, {"S", "b"}, "i");
    CHECK(same_schedule(back, program));
    CHECK(loops_of(back, "S") == "i j");
  }
}

TEST_CASE("collapse keeps the tags of both loops, and the order of dependences", "[collapse]") {
  const Program program = parallelize(parallelize(rows_of_seven(0), i), j);
  CHECK(loops_of(collapse(program, i, j, "c"), "S") == "c:parallel");
  CHECK_NOTHROW(collapse(split(sums_of_neighbours(), j, 4, "j", "k"), {"S", "j"}, {"S", "k"}, ""));
  const Refusal refusal = refusal_of([&] {
    parallelize(collapse(split(sums_of_neighbours(), j, 4, "j", "k"), {"S", "j"}, {"S", "k"}, ""),
                {"S", "j"});
  });
  CHECK(refusal.code == Code::E0202_dependence_carried);
}

TEST_CASE("collapse is refused where values leave a private buffer", "[collapse]") {
  // T(i, j) reads S(i, 0), which each iteration of i has in a buffer for itself.
  Var k("i", 0, parameter("N")), l("j", 0, 7);
  NewDefinition d;
  d.array = "S";
  d.iterators = {k, l};
  d.value = select(l > 0, at("S", {k, l - 1}), 1.0f);
  d.type = f32;
  Program program = with_definition(empty_program({"N"}), d, asked);
  program = allocate_at(program, "S", i, {});
  const Refusal refusal = refusal_of([&] { collapse(program, i, j, ""); });
  CHECK(refusal.code == Code::E0307_out_of_scope);
  CHECK(witness_text(refusal).find("S[0, 1]") != std::string::npos);
}

TEST_CASE("collapse refuses bounds that are not constants, and other tags", "[collapse]") {
  Refusal refusal = refusal_of([] { collapse(grid(), i, j, ""); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation ==
        "the bounds of j are not constants, so i n + j with its number of iterations n is not "
        "affine");
  CHECK(refusal.mend ==
        "give j constant bounds; or parallelize both loops: threads share the "
        "iterations of nested parallel loops");
  refusal = refusal_of([] { collapse(parallelize(rows_of_seven(0), i), i, j, ""); });
  CHECK(refusal.explanation == "i is parallel, but j is sequential");
  CHECK(refusal.mend == "collapse the loops first, then tag the one that they make");
}

TEST_CASE("collapse refuses inner loops of more iterations than numbers have", "[collapse]") {
  const std::int64_t far = (std::int64_t{1} << 62) - 1;
  const auto over = [](const Expr& lower, const Expr& upper) {
    Var k("i", 0, parameter("N")), l("j", lower, upper);
    const Program rows = define(empty_program({"N"}), "S", {k, l}, cast(f32, k));
    return refusal_of([&] { collapse(rows, i, j, ""); }).explanation;
  };
  CHECK(over(0, far) == "j has up to 4611686018427387903 iterations");
  CHECK(over(-far, far + 1) == "j has up to 9223372036854775807 iterations");
  const std::string none =
      "the bounds of j are not constants, so i n + j with its number of iterations n is not affine";
  CHECK(over(0, Expr(far) + 2) == none);
}

TEST_CASE("collapse refuses loops with prefetches", "[collapse]") {
  Program rows = with_input(empty_program({"N"}), "in", f32, {parameter("N"), Expr(7)}, asked);
  Var k("i", 0, parameter("N")), l("j", 0, 7);
  rows = define(rows, "S", {k, l}, at("in", {k, l}));
  for (const LoopRef& loop : {i, j}) {
    const Refusal refusal = refusal_of([&] { collapse(prefetch(rows, loop, "in", 2), i, j, ""); });
    CHECK(refusal.code == Code::E0106_bad_argument);
    CHECK(refusal.explanation == "there are prefetches for the iterations of " + loop.loop);
    CHECK(refusal.mend == "collapse the loops first, then give them for the one that they make");
  }
}

TEST_CASE("collapse names the loops there are", "[collapse]") {
  const Refusal refusal = refusal_of([] { collapse(rows_of_seven(0), i, {"S", "t"}, ""); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop t; it has i, j");
  CHECK(refusal_of([] { collapse(rows_of_seven(0), j, i, ""); }).code == Code::E0106_bad_argument);
}

}  // namespace strata::test::collapse_test
