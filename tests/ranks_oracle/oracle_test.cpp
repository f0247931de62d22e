#include <catch2/catch.hpp>

#include <cstdlib>

#include "tests/ranks_oracle/judged.h"

namespace strata::test::ranks_oracle {

namespace {

// u(t, i) of three rows of the step before, and two arrays that change places in each step.
Drawn stencil() {
  Drawn drawn;
  Function& f = drawn.f;
  const Param steps = f.param("T"), n = f.param("N");
  const Partition rows = f.partition("rows", n);
  f.assume(steps >= 0);
  const Input g = f.input("g", i32, {n});
  const Var t("t", 0, steps + 1), i("i", 0, n), k("k", 0, n);
  std::vector<Computation> all;
  f.loop(t, [&] {
    all.push_back(f.declare("u", {t, i}, i32));
    all.push_back(f.declare("v", {t, k}, i64));
  });
  const auto near = [&](const Computation& of, const Expr& at, int delay) {
    return select(t >= delay && at >= 0 && at < n, cast(i32, of(t - delay, at)), 5);
  };
  all[0].define(g(i) + 3 * near(all[0], i - 1, 1) + 7 * near(all[1], i + 2, 1) +
                near(all[0], i + 1, 1));
  all[1].define(cast(i64, near(all[0], k - 2, 0) + near(all[1], k + 1, 1)));
  all[0].store_in({t % 2, i}).distribute(i, rows);
  all[1].store_in({t % 2, k}).distribute(k, rows);
  drawn.buffers = {g.buffer(), all[0].buffer(), all[1].buffer()};
  return drawn;
}

int times(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

}  // namespace

TEST_CASE("ranks compute what one rank does, and send the least", "[ranks]") {
  const Drawn program = stencil();
  const Lowered judged = lowered(program.f, program.buffers);
  CHECK(!judged.at_most);
  for (int ranks = 1; ranks <= 5; ++ranks)
    for (const std::int64_t n : {0, 1, 2, 5, 12})
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Choice choice = chosen(n, 3, ranks, seed);
        const Verdict verdict = judge(judged, judged.kernel, choice);
        INFO(ranks << " ranks, N = " << n << ", seed " << seed);
        CHECK(verdict.fault == "");
      }
}

TEST_CASE("random programs on ranks", "[ranks]") {
  const int most = times("STRATA_RANKS_PROGRAMS", 60);
  int judged = 0;
  for (int seed = 1; seed <= most; ++seed) {
    const auto fault = fault_in(std::uint64_t(seed));
    INFO("program " << seed);
    if (fault) CHECK(*fault == "");
    judged += fault.has_value();
  }
  INFO(judged << " of " << most << " programs are judged");
  CHECK(judged * 10 > most * 4);
}

}  // namespace strata::test::ranks_oracle
