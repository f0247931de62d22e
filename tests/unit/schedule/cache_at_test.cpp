#include "schedule/commands/storage/cache_at.h"

#include <strata/strata.h>

#include "layers/flow/reads.h"
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

// for k < N: { for i: a(i, k) /= a(k, k);  for i, j: a(i, j) -= a(i, k) a(j, k) },  k < j <= i < N
Program factorization() {
  Function f("factorization");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N), below("i", k + 1, N), right("j", k + 1, below + 1);
  Computation a = f.computation("a", {i, j}, cast(f64, i * j));
  f.loop(k, [&] {
    a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(right, k));
  });
  return f.program();
}

// for t < N: for 0 < i < N: u(i) = value
Program sweep(const std::function<Expr(Computation&, const Var&)>& value) {
  Function f("sweep");
  Param N = f.param("N");
  Var t("t", 0, N), i("i", 1, N), x("x", 0, N);
  Computation u = f.computation("u", {x}, cast(f64, x + 0));
  u.update({t, i}, {i}, value(u, i));
  return f.program();
}

}  // namespace

TEST_CASE("an update reads its own array through a copy in each step", "[cache_at]") {
  const Program program = cache_at(factorization(), {"a_2", "k"}, "a", "factor", {"s", "y", "x"});
  CHECK(runs(program, "factor", "{ factor[s, y, x] -> [1, s, 1, s, 0, y, 0, x, 0] }"));
  CHECK(runs(program, "a_2", "{ a_2[k, i, j] -> [1, k, 2, i, 0, j, 0] }"));
  const isl::ctx ctx = program.session->isl();
  const Definition& factor = *program.algorithm->find("factor");
  CHECK(isl::set(factor.domain)
            .is_equal(isl::set(ctx, "[N] -> { factor[k, y, k] : 0 <= k < y < N }")));
  CHECK(all_reads(factor).is_equal(
      isl::union_map(ctx, "[N] -> { factor[k, y, k] -> a_1[k, y] : 0 <= k < y < N }")));
  CHECK(
      all_reads(*program.algorithm->find("a_2"))
          .is_equal(isl::union_map(ctx,
                                   "[N] -> { a_2[k, i, j] -> factor[k, i, k] : 0 <= k < j <= i < N;"
                                   "         a_2[k, i, j] -> factor[k, j, k] : 0 <= k < j <= i < N;"
                                   "         a_2[k, i, j] -> a_2[k - 1, i, j] : 0 < k < j <= i < N;"
                                   "         a_2[k, i, j] -> a[i, j] : 0 = k < j <= i < N }")));
}

TEST_CASE("copies in each iteration of two loops are copies in each of the first", "[cache_at]") {
  const Program program =
      cache_at(factorization(), {"a_2", "i"}, "a", "factor", {"s", "r", "y", "x"});
  CHECK(isl::set(program.algorithm->find("factor")->domain)
            .is_equal(isl::set(program.session->isl(),
                               "[N] -> { factor[k, i, y, k] : 0 <= k < y <= i < N }")));
}

TEST_CASE("an update that reads what its step has defined has no copy", "[cache_at]") {
  const auto before = [](Computation& u, const Var& i) { return u(i - 1) + u(i); };
  const auto after = [](Computation& u, const Var& i) { return u(min(i + 1, parameter("N") - 1)); };
  const Refusal refusal =
      refusal_of([&] { cache_at(sweep(before), {"u_1", "t"}, "u", "copy", {"s", "x"}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation ==
        "u_1 reads values of u that are defined inside the step, after the copy at its beginning");
  CHECK_NOTHROW(cache_at(sweep(before), {"u_1", "i"}, "u", "copy", {"s", "r", "x"}));
  CHECK_NOTHROW(cache_at(sweep(after), {"u_1", "t"}, "u", "copy", {"s", "x"}));
}

TEST_CASE("cache_at of an update names its steps and what it reads", "[cache_at]") {
  const auto own = [](Computation& u, const Var& i) { return u(i) + 1.0; };
  CHECK(refusal_of([&] {
          cache_at(sweep(own), {"u_1", "t"}, "u", "copy", {"s", "x"});
        }).explanation == "u_1 reads no other element of u than the one that it redefines");
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"y", "x"}, {"p", "q", "r", "s", "y", "x"}}) {
    const Refusal refusal =
        refusal_of([&] { cache_at(factorization(), {"a_2", "k"}, "a", "factor", names); });
    CHECK(refusal.code == Code::E0109_wrong_arity);
    CHECK(refusal.mend == "name an iterator for k, and one for each index of a");
  }
}

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
