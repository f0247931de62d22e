#include "schedule/commands/loops/parallelize.h"

#include "schedule/commands/loops/interchange.h"
#include "tests/unit/programs.h"

namespace strata::test::parallelize_test {

TEST_CASE("parallelize tags the loop and leaves the times", "[parallelize]") {
  auto program = parallelize(row_sums(), {"S", "i"});
  CHECK(runs(program, "S", "{ S[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(loops_of(program, "S") == "i:parallel j");
}

TEST_CASE("parallelize commutes with interchange", "[parallelize]") {
  auto program = row_sums();
  auto first = interchange(parallelize(program, {"S", "i"}), {"S", "i"}, {"S", "j"});
  auto last = parallelize(interchange(program, {"S", "i"}, {"S", "j"}), {"S", "i"});
  CHECK(same_schedule(first, last));
}

TEST_CASE("parallelize is refused when an iteration needs another", "[parallelize]") {
  auto refusal = refusal_of([] { parallelize(row_sums(), {"S", "j"}); });
  CHECK(refusal.code == Code::E0202_dependence_carried);
  CHECK(witness_text(refusal) == "N = 2: S[0, 0] at [0, 0, 0, 0, 0]; S[0, 1] at [0, 0, 0, 1, 0]");
}

TEST_CASE("parallelize is refused on a reduction's level", "[parallelize]") {
  CHECK(refusal_of([] { parallelize(sums(), {"C", "k"}); }).code ==
        Code::E0207_reduction_concurrent);
  CHECK(loops_of(parallelize(sums(), {"C", "i"}), "C") == "i:parallel k");
}

TEST_CASE("parallelize names the loops there are", "[parallelize]") {
  auto refusal = refusal_of([] { parallelize(row_sums(), {"S", "i0"}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop i0; it has i, j");
}

}  // namespace strata::test::parallelize_test
