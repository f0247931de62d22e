// reorder: kernels against plain loops.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::reorder_execution_test {

TEST_CASE("a convolution whose loops are reordered by one command", "[reorder]") {
  Function f("convolution");
  const Param N = f.param("N"), K = f.param("K");
  const Var k("k", 0, K), x("x", 0, N), c("c", 0, 3), r("r", 0, 3);
  const Var k0("k0"), k1("k1"), x0("x0"), x1("x1");
  const Input in = f.input("in", i32, {3, N + 2}), w = f.input("w", i32, {K, 3, 3});
  Computation acc = f.computation("acc", {k, x}, sum({c, r}, in(c, x + r) * w(k, c, r)));
  acc.split(k, 2, k0, k1).split(x, 4, x0, x1).reorder({k0, x0, c, r, k1, x1});
  Judged kernel(f, {in.buffer(), w.buffer(), acc.buffer()});
  for (const std::int64_t n : {0, 1, 3, 4, 9})
    for (const std::int64_t planes : {0, 1, 2, 5}) {
      const reference::Arrays made = kernel.check({n, planes});
      for (std::int64_t plane = 0; plane < planes; ++plane)
        for (std::int64_t column = 0; column < n; ++column) {
          std::int64_t sum = 0;
          for (std::int64_t channel = 0; channel < 3; ++channel)
            for (std::int64_t tap = 0; tap < 3; ++tap)
              sum += made["in"].integer({channel, column + tap}) *
                     made["w"].integer({plane, channel, tap});
          CHECK(made["acc"].integer({plane, column}) == std::int32_t(sum));
        }
    }
}

TEST_CASE("lists of loops in a history are lists in C++", "[reorder]") {
  Function f("rows"), g("rows");
  for (Function* function : {&f, &g}) {
    const Param N = function->param("N");
    const Var i("i", 0, N), j("j", 0, N), k("k", 0, 4);
    Computation s = function->computation("s", {i, j, k}, i + j + k);
    if (function == &f) s.reorder({"k", "i", "j"});
  }
  g.replay("reorder(s.k, s.i, s.j)");
  CHECK(f.text() == g.text());
  CHECK(f.history_source() == "s.reorder({\"k\", \"i\", \"j\"});\n");
}

}  // namespace strata::test::reorder_execution_test
