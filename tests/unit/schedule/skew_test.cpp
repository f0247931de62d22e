#include "schedule/commands/loops/skew.h"

#include <numeric>

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/reverse.h"
#include "tests/unit/programs.h"

namespace strata::test::skew_test {

namespace {

const LoopRef i{"S", "i"}, j{"S", "j"};

// S(i, j) = S(i - 1, j - 1) + S(i - 1, j + 1): dependences (1, 1) and (1, -1).
Program two_parents() {
  Var i = range("i", "N"), j = range("j", "N");
  return define(empty_program({"N"}), "S", {i, j},
                select(i > 0 && j > 0, at("S", {i - 1, j - 1}), 1.0f) +
                    select(i > 0 && j < parameter("N") - 1, at("S", {i - 1, j + 1}), 1.0f));
}

}  // namespace

TEST_CASE("skew by 1, 1 makes the wavefronts a loop", "[skew]") {
  auto program = skew(sums_of_neighbours(), i, j, 1, 1, {"front", "along"});
  CHECK(loops_of(program, "S") == "front along");
  CHECK(runs(program, "S", "{ S[i, j] -> [0, i + j, 0, j, 0] }"));
  CHECK(loops_of(parallelize(program, {"S", "along"}), "S") == "front along:parallel");
  CHECK(refusal_of([&] { parallelize(program, {"S", "front"}); }).code ==
        Code::E0202_dependence_carried);
  CHECK(refusal_of([] { parallelize(sums_of_neighbours(), j); }).code ==
        Code::E0202_dependence_carried);
}

TEST_CASE("skew completes its two factors to determinant 1", "[skew]") {
  for (std::int64_t a = -7; a <= 7; ++a)
    for (std::int64_t b = -7; b <= 7; ++b) {
      auto f = completed_skew(a, b);
      REQUIRE(f.has_value() == (std::gcd(a, b) == 1));
      if (!f) continue;
      CHECK(f->a * f->d - f->b * f->c == 1);
      if (a == 1) CHECK((f->c == 0 && f->d == 1));
      if (a > 0 && b > 0) CHECK((f->c >= 0 && f->d >= 0 && f->c < a));
    }
  CHECK(runs(skew(grid(), i, j, 2, 1), "S", "{ S[i, j] -> [0, 2i + j, 0, i + j, 0] }"));
  CHECK(runs(skew(grid(), i, j, 0, 1), "S", "{ S[i, j] -> [0, j, 0, -i, 0] }"));
}

TEST_CASE("a skew and its inverse are the identity", "[skew]") {
  auto program = grid();
  // { [i, j] -> [3i + 2j, 4i + 3j] } and { [i, j] -> [3i - 2j, -4i + 3j] }
  auto there = skew(program, i, j, SkewFactors{3, 2, 4, 3});
  CHECK(runs(there, "S", "{ S[i, j] -> [0, 3i + 2j, 0, 4i + 3j, 0] }"));
  CHECK(same_schedule(skew(there, i, j, SkewFactors{3, -2, -4, 3}), program));
}

TEST_CASE("skew is refused when a wavefront needs itself or a later one", "[skew]") {
  auto refusal = refusal_of([] { skew(two_parents(), i, j, 1, 1); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "skew(S.i, S.j, 1, 1)");
  CHECK(witness_text(refusal) == "N = 2: S[0, 1] at [0, 1, 0, 1, 0]; S[1, 0] at [0, 1, 0, 0, 0]");
  CHECK_NOTHROW(skew(two_parents(), i, j, 2, 1));
  CHECK_NOTHROW(skew(two_parents(), i, j, SkewFactors{1, 1, 0, -1}));
}

TEST_CASE("skew names the loops there are", "[skew]") {
  auto refusal = refusal_of([] { skew(grid(), i, {"S", "t"}, 1, 1); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop t; it has i, j");
}

TEST_CASE("skew refuses factors that lose iterations, and says which do not", "[skew]") {
  auto refusal = refusal_of([] { skew(grid(), i, j, 2, 4); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.mend == "give 1 and 2");
  CHECK(refusal_of([] { skew(grid(), i, j, 0, 0); }).code == Code::E0106_bad_argument);
  CHECK(refusal_of([] { skew(grid(), i, j, SkewFactors{1, 2, 3, 4}); }).code ==
        Code::E0106_bad_argument);
  CHECK(refusal_of([] { skew(grid(), i, j, 4'000'000'000, 1); }).code == Code::E0106_bad_argument);
  CHECK(refusal_of([] { skew(grid(), j, i, 1, 1); }).code == Code::E0106_bad_argument);
}

}  // namespace strata::test::skew_test
