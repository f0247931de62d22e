#include "schedule/commands/launch/distribute.h"

#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/shift.h"
#include "schedule/commands/loops/unroll.h"
#include "tests/unit/programs.h"

namespace strata::test::distribute_test {

namespace {

// grid() with partitions of N and of N + 1.
Program partitioned(const Program& program = grid()) {
  const Program one = with_partition(program, "rows", parameter("N") + 0, asked);
  return with_partition(one, "more", parameter("N") + 1, asked);
}

}  // namespace

TEST_CASE("distribute tags a loop with its partition and changes no time", "[distribute]") {
  const Program before = partitioned();
  const Program program = distribute(before, {"S", "i"}, "rows");
  CHECK(runs(program, "S", "{ S[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(loops_of(program, "S") == "i:node j");
  CHECK(program.mapping.roots[0].loop().partition == "rows");
}

TEST_CASE("distribute twice by one partition is distribute, by two it is refused", "[distribute]") {
  const Program program = distribute(partitioned(), {"S", "i"}, "rows");
  CHECK(loops_of(distribute(program, {"S", "i"}, "rows"), "S") == loops_of(program, "S"));
  const Refusal refusal = refusal_of([&] { distribute(program, {"S", "i"}, "more"); });
  CHECK(refusal.code == Code::E0205_tags_differ);
  CHECK(refusal.explanation ==
        "loop i is distributed by rows already, and cannot be by more as well");
}

TEST_CASE("a distributed loop gets no other tag", "[distribute]") {
  const Program program = distribute(partitioned(), {"S", "i"}, "rows");
  const Refusal parallel = refusal_of([&] { parallelize(program, {"S", "i"}); });
  CHECK(parallel.code == Code::E0106_bad_argument);
  CHECK(parallel.explanation == "loop i would be parallel, but it is node already");
  CHECK(refusal_of([&] { gpu_blocks(program, {{"S", "i"}}); }).explanation ==
        "loop i would be block, but it is node already");
  CHECK(refusal_of([&] { unroll(program, {"S", "i"}); }).explanation ==
        "loop i would be unrolled, but it is node already");
}

TEST_CASE("distribute commutes with interchange", "[distribute]") {
  const Program before = partitioned();
  const Program a = interchange(distribute(before, {"S", "i"}, "rows"), {"S", "i"}, {"S", "j"});
  const Program b = distribute(interchange(before, {"S", "i"}, {"S", "j"}), {"S", "i"}, "rows");
  CHECK(same_schedule(a, b));
  CHECK(loops_of(a, "S") == "j i:node");
  CHECK(loops_of(b, "S") == "j i:node");
}

TEST_CASE("an iteration outside of the partition is refused, by distribute and later",
          "[distribute]") {
  const Program program = distribute(partitioned(), {"S", "i"}, "rows");
  const Refusal later = refusal_of([&] { shift(program, {"S", "i"}, constant(i64, 1)); });
  CHECK(later.code == Code::E0209_outside_partition);
  CHECK(later.explanation == "loop i has iterations outside of the partition rows");
  CHECK(witness_text(later) == "N = 1, M = 1: S[0, 0] at [0, 1, 0, 0, 0]");
  const Program wide =
      shift(distribute(partitioned(), {"S", "i"}, "more"), {"S", "i"}, constant(i64, 1));
  CHECK(loops_of(wide, "S") == "i:node j");
}

TEST_CASE("distribute names the loops and the partitions that there are", "[distribute]") {
  const Refusal loop = refusal_of([] { distribute(partitioned(), {"S", "k"}, "rows"); });
  CHECK(loop.code == Code::E0102_unknown_loop);
  const Refusal partition = refusal_of([] { distribute(partitioned(), {"S", "i"}, "columns"); });
  CHECK(partition.code == Code::E0106_bad_argument);
  CHECK(partition.explanation == "there is no partition columns");
  CHECK(partition.mend == "name one of rows, more");
}

TEST_CASE("two distributed loops around one computation are refused", "[distribute]") {
  const Program program = distribute(partitioned(), {"S", "i"}, "rows");
  CHECK(refusal_of([&] { distribute(program, {"S", "j"}, "rows"); }).code ==
        Code::E0402_not_on_ranks);
}

}  // namespace strata::test::distribute_test
