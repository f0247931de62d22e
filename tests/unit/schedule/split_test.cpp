#include "schedule/commands/loops/split.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/vectorize.h"
#include "tests/unit/programs.h"

namespace strata::test::split_test {

TEST_CASE("split strip-mines a loop", "[split]") {
  auto program = split(grid(), {"S", "i"}, 32, "i0", "i1");
  CHECK(runs(program, "S", "{ S[i, j] -> [0, floor(i/32), 0, i mod 32, 0, j, 0] }"));
  CHECK(loops_of(program, "S") == "i0 i1 j");
}

TEST_CASE("split without names keeps the outer one", "[split]") {
  CHECK(loops_of(split(grid(), {"S", "j"}, 8), "S") == "i j j_in");
  CHECK(loops_of(split(split(grid(), {"S", "j"}, 8), {"S", "j"}, 8), "S") == "i j j_in2 j_in");
}

TEST_CASE("a parallel loop stays parallel outside, a vector inside", "[split]") {
  CHECK(loops_of(split(parallelize(grid(), {"S", "i"}), {"S", "i"}, 8), "S") ==
        "i:parallel i_in j");
  auto lanes = vectorize(grid(), {"S", "j"}, 8, "j0", "j1");
  CHECK(loops_of(split(lanes, {"S", "j1"}, 4, "a", "b"), "S") == "i j0 a b:vector");
}

TEST_CASE("split by 6 and by 2 is split by 2 and by 3", "[split]") {
  auto program = grid();
  auto outside_in = split(split(program, {"S", "i"}, 6, "a", "x"), {"S", "x"}, 2, "b", "c");
  auto inside_out = split(split(program, {"S", "i"}, 2, "x", "c"), {"S", "x"}, 3, "a", "b");
  CHECK(same_schedule(outside_in, inside_out));
}

TEST_CASE("split is refused for a size of 0", "[split]") {
  auto refusal = refusal_of([] { split(grid(), {"S", "i"}, 0); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "the size is 0");
}

TEST_CASE("split names what it does not find", "[split]") {
  auto refusal = refusal_of([] { split(grid(), {"T", "i"}, 4); });
  CHECK(refusal.code == Code::E0101_unknown_computation);
  CHECK(refusal.explanation == "the program has no computation T; it has S");
}

TEST_CASE("split refuses names that are taken, twice the same, or none", "[split]") {
  auto refusal = refusal_of([] { split(grid(), {"S", "i"}, 4, "j", "x"); });
  CHECK(refusal.code == Code::E0104_name_taken);
  CHECK(refusal.explanation == "another loop around the same computation is named j");
  CHECK(refusal_of([] { split(grid(), {"S", "i"}, 4, "x", "x"); }).code == Code::E0104_name_taken);
  CHECK(refusal_of([] { split(grid(), {"S", "i"}, 4, "2x", "x"); }).code == Code::E0105_bad_name);
}

}  // namespace strata::test::split_test
