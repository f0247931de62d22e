#include "schedule/commands/loops/atomic.h"

#include "codegen/lower.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/rfactor.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/finish.h"
#include "tests/unit/programs.h"

namespace strata::test::atomic_test {

TEST_CASE("atomic contributions to one result may run at the same time", "[atomic]") {
  auto program = parallelize(atomic(sums(), "C"), {"C", "k"});
  CHECK(loops_of(program, "C") == "i k:parallel");
  program = interchange(program, {"C", "i"}, {"C", "k"});
  CHECK(loops_of(program, "C") == "k:parallel i");
  const auto text = to_c_text(lower(finished(program, {"in", "C"}, {}), {{"in", "C"}}));
  CHECK(text.find("atomic C[") != std::string::npos);
}

TEST_CASE("atomic a second time changes nothing", "[atomic]") {
  const auto once = atomic(sums(), "C"), twice = atomic(once, "C");
  CHECK(same_schedule(once, twice));
  CHECK(once.algorithm->find("C")->is_atomic);
  CHECK(twice.algorithm->find("C")->is_atomic);
}

TEST_CASE("lanes are not atomic", "[atomic]") {
  auto refusal = refusal_of([] { vectorize(atomic(sums(), "C"), {"C", "k"}, 4, "k0", "k1"); });
  CHECK(refusal.code == Code::E0207_reduction_concurrent);
  CHECK(witness_text(refusal) ==
        "N = 1, M = 2: C[0, 0] at [0, 0, 1, 0, 0, 0, 0]; C[0, 1] at [0, 0, 1, 0, 0, 1, 0]");
}

TEST_CASE("lanes of one tile are not atomic, although tiles may run at the same time", "[atomic]") {
  Program program = with_parameter(sums(), "T", asked);
  program = tile(program, {{"C", "i"}, {"C", "k"}}, {Param("T"), Param("T")});
  program = parallelize(atomic(program, "C"), {"C", "k"});
  const auto refusal = refusal_of([&] { vectorize(program, {"C", "k_in"}, 4); });
  CHECK(refusal.code == Code::E0207_reduction_concurrent);
}

TEST_CASE("atomic contributions to different results in one place still race", "[atomic]") {
  auto program = parallelize(atomic(sums(), "C"), {"C", "k"});
  program = store_in(program, "C", "c", {Var("i")}, {constant(i64, 0) + 0 * variable("i")});
  auto refusal = refusal_of([&] { parallelize(program, {"C", "i"}); });
  CHECK((refusal.code == Code::E0301_value_overwritten || refusal.code == Code::E0303_race));
}

TEST_CASE("atomic refuses non-reductions, and types without atomic operations", "[atomic]") {
  CHECK(refusal_of([] { atomic(grid(), "S"); }).explanation == "S is not a reduction");
  auto program = with_input(empty_program({"N"}), "in", f16, {parameter("N")}, asked);
  NewDefinition half;
  half.array = "H";
  half.value = sum(range("k", "N"), access("in", f16, {variable("k")}));
  program = with_definition(program, half, asked);
  auto refusal = refusal_of([&] { atomic(program, "H"); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "float16 has no atomic operations");
  CHECK(refusal_of([] { rfactor(atomic(sums(), "C"), {"C", "k"}, "P"); }).explanation ==
        "C is atomic, and needs no partial results");
}

TEST_CASE("atomic names the computations there are", "[atomic]") {
  auto refusal = refusal_of([] { atomic(sums(), "X"); });
  CHECK(refusal.code == Code::E0101_unknown_computation);
  CHECK(refusal.explanation == "the program has no computation X; it has C");
}

}  // namespace strata::test::atomic_test
