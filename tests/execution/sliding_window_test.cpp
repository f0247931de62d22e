// store_at: sliding windows that compute each value once.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::sliding_window_test {

namespace {

const Var i("i"), k("k"), w("w"), k0("k0"), w0("w0"), k1("k1"), w1("w1");

// bx(i, w) = in(i, w) + 2 in(i, w + 1), by(k, w) = bx(k, w) - bx(k + 1, w) + 3 bx(k + 2, w)
struct Stages {
  Function f{"stages"};
  Param N = f.param("N"), W = f.param("W");
  Input in = f.input("in", i32, {N, W});
  Computation bx =
      f.computation("bx", {Var("i", 0, N), Var("w", 0, W - 1)}, in(i, w) + 2 * in(i, w + 1));
  Computation by = f.computation("by", {Var("k", 0, N - 2), Var("w", 0, W - 1)},
                                 bx(k, w) - bx(k + 1, w) + 3 * bx(k + 2, w));

  // How often bx runs at these sizes.
  std::size_t runs_of_bx(Judged& judged, const std::vector<std::int64_t>& sizes) const {
    std::size_t count = 0;
    for (const reference::Executed& e : judged.trace(sizes)) count += e.computation == "bx";
    return count;
  }
  std::vector<Buffer> arguments() const { return {in.buffer(), by.buffer()}; }
};

const std::vector<std::vector<std::int64_t>> sizes{{0, 5}, {2, 3},  {3, 1},  {3, 2},  {4, 4},
                                                   {7, 9}, {9, 17}, {16, 8}, {13, 33}};

}  // namespace

TEST_CASE("a window of rows slides down the whole picture", "[store_at]") {
  Stages s;
  s.bx.compute_at(s.by, k).store_at(root).store_in({i % 3, w});
  Judged judged(s.f, s.arguments());
  for (const auto& size : sizes) {
    judged.check(size);
    const auto [n, m] = std::pair(size[0], size[1]);
    CHECK(s.runs_of_bx(judged, size) == std::size_t(n < 3 || m < 2 ? 0 : n * (m - 1)));
  }
}

TEST_CASE("a window that is too small is refused", "[store_at]") {
  Stages s;
  s.bx.compute_at(s.by, k).store_at(root);
  CHECK_THROWS_AS(s.bx.store_in({i % 2, w}), Error);
}

TEST_CASE("windows slide in strips that run in parallel", "[store_at]") {
  Stages s;
  s.by.split(k, 4, k0, k1).parallelize(k0);
  s.bx.compute_at(s.by, k1).store_at(s.by, k0);
  s.by.vectorize(w, 4);
  s.bx.vectorize(w, 4);
  Judged judged(s.f, s.arguments());
  for (const auto& size : sizes) {
    judged.check(size);
    const auto [n, m] = std::pair(size[0], size[1]);
    // A strip of r rows computes r + 2 rows of bx.
    std::size_t expected = 0;
    for (std::int64_t first = 0; m > 1 && first < n - 2; first += 4)
      expected += std::size_t((std::min<std::int64_t>(4, n - 2 - first) + 2) * (m - 1));
    CHECK(s.runs_of_bx(judged, size) == expected);
  }
}

TEST_CASE("a result without contributions starts where it is needed first", "[store_at]") {
  // before(i) = in(0) + .. + in(i - 1); before(0) is an empty sum.
  Function f("prefixes");
  Param N = f.param("N");
  Input in = f.input("in", i32, {N});
  Computation before = f.computation("before", {Var("i", 0, N)}, sum(Var("k", 0, i), in(k)));
  Computation out =
      f.computation("out", {Var("i", 0, N)}, before(i) + select(i > 0, before(i - 1), 5) * 3);
  before.compute_at(out, i).store_at(root);
  Judged judged(f, {in.buffer(), out.buffer()});
  for (const std::int64_t n : {0, 1, 2, 7}) judged.check({n});
}

}  // namespace strata::test::sliding_window_test
