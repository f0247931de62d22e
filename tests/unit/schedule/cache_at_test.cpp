#include "schedule/commands/storage/cache_at.h"

#include "schedule/commands/loops/tile.h"
#include "schedule/legality/scope.h"
#include "tests/unit/programs.h"

namespace strata::test::cache_at_test {

namespace {

// for i < N, j < M: T(i, j) = in(i, j) + in(i, j + 1), the rows of T in chunks of 4.
Program neighbours() {
  Var i = range("i", "N"), j = range("j", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M") + 1}, asked);
  return define(program, "T", {i, j}, at("in", {i, j}) + at("in", {i, j + 1}));
}

}  // namespace

TEST_CASE("cache_at copies what an iteration reads", "[cache_at]") {
  const Program program = cache_at(neighbours(), {"T", "i"}, "in", "row", {"r", "c"});
  CHECK(runs(program, "row", "[N, M] -> { row[r, c] -> [0, r, 0, r, 0, c, 0] : 0 <= c <= M }"));
  CHECK(runs(program, "T", "{ T[i, j] -> [0, i, 1, j, 0] }"));
  CHECK(loops_of(program, "row") == "i r c");
  const auto scopes = allocating_loops(program.mapping, "row");
  REQUIRE(scopes.size() == 1);
  CHECK(scopes.front() == Path{0});
  const Definition& reader = *program.algorithm->find("T");
  REQUIRE(reader.reads.size() == 1);
  CHECK(reader.reads.front().producer == "row");
}

TEST_CASE("a copy of a copy reads the same elements", "[cache_at]") {
  Program program = cache_at(neighbours(), {"T", "i"}, "in", "row", {"r", "c"});
  program = cache_at(program, {"row", "r"}, "in", "again", {"x", "y"});
  const Definition& copy = *program.algorithm->find("row");
  REQUIRE(copy.reads.size() == 1);
  CHECK(copy.reads.front().producer == "again");
  CHECK(isl::map(copy.reads.front().relation)
            .is_equal(isl::map(program.session->isl(),
                               "[N, M] -> { row[r, c] -> again[r, c] : 0 <= r < N and 0 <= c <= M "
                               "and M > 0 }")));
}

TEST_CASE("cache_at is refused where the copy would be made before its values", "[cache_at]") {
  // X(i) = X'(i - 1) in a loop that both share: there is no place for a copy outside it.
  const Refusal refusal =
      refusal_of([] { cache_at(row_sums(), {"S", "i"}, "S", "copy", {"x", "y"}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.command == "cache_at(S.i, S, copy, {x, y})");
}

TEST_CASE("cache_at names what there is", "[cache_at]") {
  CHECK(refusal_of([] {
          cache_at(neighbours(), {"T", "k"}, "in", "row", {"r", "c"});
        }).explanation == "T has no loop k; it has i, j");
  CHECK(refusal_of([] {
          cache_at(neighbours(), {"T", "i"}, "out", "row", {"r", "c"});
        }).explanation == "T does not read out");
  CHECK(refusal_of([] { cache_at(neighbours(), {"T", "i"}, "in", "T", {"r", "c"}); }).code ==
        Code::E0104_name_taken);
  CHECK(refusal_of([] { cache_at(neighbours(), {"T", "i"}, "in", "row", {"r"}); }).code ==
        Code::E0109_wrong_arity);
}

}  // namespace strata::test::cache_at_test
