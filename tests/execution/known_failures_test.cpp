// Programs that Tiramisu compiles silently into wrong code, or crashes on: here they are compiled
// correctly, or refused.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::known_failures_test {

using reference::Point;

namespace {

struct Matmul {
  Function f{"matmul"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, N}, k{"k", 0, N};
  Var i0{"i0"}, j0{"j0"}, k0{"k0"}, i1{"i1"}, j1{"j1"}, k1{"k1"};
  Input A = f.input("A", i32, {N, N}), B = f.input("B", i32, {N, N});
  Computation C = f.computation("C", {i, j}, sum(k, A(i, k) * B(k, j)));

  std::vector<Buffer> arguments() const { return {A.buffer(), B.buffer(), C.buffer()}; }
};

// The number of wrong elements in the product of two n x n matrices.
std::int64_t wrong_elements(const JitFunction& matmul, std::int64_t n) {
  Array<std::int32_t> a({n, n}), b({n, n}), c({n, n});
  for (std::int64_t x = 0; x < n; ++x)
    for (std::int64_t y = 0; y < n; ++y) {
      a(x, y) = std::int32_t(3 * x - 5 * y);
      b(x, y) = std::int32_t(x * x + 7 * y);
    }
  REQUIRE(matmul({n}, {a, b, c}) == 0);
  std::int64_t wrong = 0;
  for (std::int64_t x = 0; x < n; ++x)
    for (std::int64_t y = 0; y < n; ++y) {
      std::int32_t total = 0;
      for (std::int64_t z = 0; z < n; ++z) total += a(x, z) * b(z, y);
      wrong += c(x, y) != total;
    }
  return wrong;
}

// The loops around each execution of a computation, as "name:processor", without duplicates.
std::set<std::vector<std::string>> loops_around(const std::vector<reference::Executed>& trace,
                                                const std::string& computation) {
  std::set<std::vector<std::string>> result;
  for (const reference::Executed& e : trace) {
    std::vector<std::string> loops;
    for (const reference::LoopIteration& l : e.loops)
      loops.push_back(l.name + ":" + to_string(l.processor));
    if (e.computation == computation) result.insert(loops);
  }
  return result;
}

}  // namespace

TEST_CASE("vectorize then unroll on a tiled matmul", "[failure-1]") {
  for (const bool vectors_first : {true, false}) {
    Matmul m;
    m.C.tile(m.i, m.j, m.k, 32, 32, 32, m.i0, m.j0, m.k0, m.i1, m.j1, m.k1);
    m.C.interchange(m.j1, m.k1);
    if (vectors_first) m.C.vectorize(m.j1, 8).unroll(m.k1, 4);
    if (!vectors_first) m.C.unroll(m.k1, 4).vectorize(m.j1, 8);
    m.C.parallelize(m.i0);
    Judged judged(m.f, m.arguments());
    for (const std::int64_t n : {0, 1, 5, 9}) judged.check({n});
    for (const std::int64_t n : {31, 32, 33, 64, 100, 130})
      CHECK(wrong_elements(judged.kernel(), n) == 0);
  }
}

TEST_CASE("tile, vectorize the inner and unroll the middle loop", "[failure-1]") {
  Function f("twenty_by_thirty");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", i32, {N, M});
  Computation s = f.computation("s", {i, j}, in(i, j) * 3);
  s.tile(i, j, 4, 8, i0, j0, i1, j1);
  s.vectorize(j1);
  s.unroll(i1);
  Judged judged(f, {in.buffer(), s.buffer()});
  judged.check({20, 30});
  for (const std::int64_t n : {0, 1, 3, 4, 5}) judged.check({n, 9});
}

TEST_CASE("tags stay with their loops where a loop has one iteration", "[failure-2]") {
  for (const bool one_is_a_parameter : {false, true}) {
    Function f("one_by_sixteen");
    Param N = f.param("N");
    Var i("i", 0, one_is_a_parameter ? Expr(N) : Expr(1)), j("j", 0, 16), k("k", 0, 8);
    Computation s = f.computation("s", {i, j, k}, cast(i32, 100 * i + 10 * j + k));
    s.parallelize(j);
    s.vectorize(k);
    Judged judged(f, {s.buffer()});
    judged.check({1});
    if (one_is_a_parameter) judged.check({3});
    for (auto loops : loops_around(judged.trace({1}), "s")) {
      if (!loops.empty() && loops.front() == "i:sequential") loops.erase(loops.begin());
      CHECK(loops == std::vector<std::string>{"j:parallel", "k:vector"});
    }
  }
}

TEST_CASE("a tag leaves the trip count as it is", "[failure-3]") {
  for (const auto& [lower, upper] : {std::pair{0, 6}, std::pair{1, 9}, std::pair{3, 11}})
    for (const std::int64_t length : {0, 4, 8}) {
      Function f("trips");
      Var i("i", lower, upper);
      Computation v = f.computation("v", {i}, cast(i32, 3 * i));
      Computation u = f.computation("u", {i}, cast(i32, 5 * i));
      if (length == 0) v.vectorize(i), u.unroll(i);
      if (length != 0) v.vectorize(i, length), u.unroll(i, length);
      const auto out = Judged(f, {v.buffer(), u.buffer()}).check({});
      for (std::int64_t n = lower; n < upper; ++n) {
        CHECK(out["v"].integer({n}) == 3 * n);
        CHECK(out["u"].integer({n}) == 5 * n);
      }
    }
}

TEST_CASE("nests without an order by commands run one after the other", "[failure-5]") {
  Function f("unordered");
  Var i("i", 0, 4);
  Computation P = f.computation("P", {i}, cast(i32, i + 1));
  Computation Q = f.computation("Q", {i}, P(3 - i) * 2);
  const auto out = Judged(f, {P.buffer(), Q.buffer()}).check({});
  for (std::int64_t n = 0; n < 4; ++n) CHECK(out["Q"].integer({n}) == 8 - 2 * n);
  CHECK(refuses(f, Code::E0201_dependence_reversed, [&] { Q.after(P, i); }));
}

TEST_CASE("a scan does not run backwards", "[failure-6]") {
  Function f("scan");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  Computation s = f.declare("s", {i}, i32);
  s.define(select(i > 0, s(i - 1), 0) + in(i));
  s.store_in(in.buffer(), {i});
  CHECK(refuses(f, Code::E0201_dependence_reversed, [&] { s.reverse(i); }));
  CHECK(refuses(f, Code::E0202_dependence_carried, [&] { s.parallelize(i); }));
  Judged scan(f, {in.buffer()});
  reference::Arrays given;
  given["in"] = reference::filled(f.program(), {{"N", 8}}, "in", [](const Point&) { return 1; });
  const auto out = scan.check({8}, given);
  for (std::int64_t n = 0; n < 8; ++n) CHECK(out["in"].integer({n}) == n + 1);
}

TEST_CASE("storage is folded only while what is there is no longer needed", "[failure-7]") {
  Function f("folded");
  Param N = f.param("N");
  Var i("i", 0, 8), j("j", 0, 4);
  Computation c = f.computation("c", {i, j}, cast(i32, 10 * i + j));
  Computation d = f.computation("d", {i, j}, c(i, j) + 1);
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { c.store_in({i % 2, j}); }));
  d.after(c, i);
  c.store_in({i % 2, j});
  const auto out = Judged(f, {d.buffer()}).check({0});
  for (const Point& p : out["d"].elements()) CHECK(out["d"].integer(p) == 10 * p[0] + p[1] + 1);
  CHECK(refuses(f, Code::E0301_value_overwritten, [&] { d.after(c, root); }));
}

TEST_CASE("a parameter in an index, before and after the iterator", "[failure-8]") {
  Function f("moved");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input A = f.input("A", i32, {2 * N});
  Computation s = f.computation("s", {i}, A(i + N));
  Computation t = f.computation("t", {i}, A(N + i) + A(N - 1 - i));
  Judged moved(f, {A.buffer(), s.buffer(), t.buffer()});
  reference::Arrays given;
  given["A"] = reference::filled(f.program(), {{"N", 5}}, "A", [](const Point& p) { return p[0]; });
  const auto out = moved.check({5}, given);
  for (std::int64_t n = 0; n < 5; ++n) {
    CHECK(out["s"].integer({n}) == n + 5);
    CHECK(out["t"].integer({n}) == 9);
  }
}

TEST_CASE("quotients and remainders in indices", "[failure-9]") {
  Function f("halves");
  Param N = f.param("N");
  Var i("i", 0, 2 * N), j("j", -4, 5);
  Input A = f.input("A", i32, {N}), B = f.input("B", i32, {2});
  Computation s = f.computation("s", {i}, 100 * A(i / 2) + B(i % 2));
  Computation t = f.computation("t", {j}, B(j % 2));
  s.vectorize(i, 4);
  Judged halves(f, {A.buffer(), B.buffer(), s.buffer(), t.buffer()});
  for (const std::int64_t n : {0, 1, 2, 7}) halves.check({n});
}

TEST_CASE("domains with a stride", "[failure-9]") {
  Function f("even");
  Param N = f.param("N");
  Computation s = f.computation("s", Domain("[N] -> { s[i] : 0 <= i < N and i mod 2 = 0 }"),
                                cast(i32, 3 * variable("i")));
  Judged even(f, {s.buffer()});
  for (const std::int64_t n : {0, 1, 2, 9, 10}) even.check({n});
}

TEST_CASE("vectors over triangles", "[failure-9]") {
  for (const bool upper : {true, false}) {
    INFO((upper ? "j >= i" : "j <= i"));
    Function f("triangle");
    Param N = f.param("N");
    Var i("i", 0, N), j("j", upper ? Expr(i) : Expr(0), upper ? Expr(N) : i + 1);
    Input in = f.input("in", i32, {N, N});
    Computation s = f.computation("s", {i, j}, in(i, j) + 1);
    s.vectorize(j, 4);
    Judged triangle(f, {in.buffer(), s.buffer()});
    for (const std::int64_t n : {0, 1, 3, 4, 5, 9}) triangle.check({n});
  }
}

TEST_CASE("floor division of numbers above 2^24", "[failure-10]") {
  Function f("large");
  Param N = f.param("N");
  Var i("i", 0, N);
  Computation s = f.computation("s", {i}, cast(u8, i * 7));
  s.store_in(Buffer("o"), {i / 2});
  const JitFunction large = f.jit({Buffer("o")});
  const std::int64_t n = 40'000'000;
  Array<std::uint8_t> o({n / 2});
  REQUIRE(large({n}, {o}) == 0);
  std::int64_t wrong = 0;
  for (std::int64_t x = 0; x < n / 2; ++x) wrong += o(x) != std::uint8_t((2 * x + 1) * 7);
  CHECK(wrong == 0);
}

TEST_CASE("a skew by 0, and one with large factors", "[failure-17]") {
  Function f("skewed");
  Var i("i", 0, 5), j("j", 0, 6), ni("ni"), nj("nj");
  Computation s = f.computation("s", {i, j}, cast(i32, 10 * i + j));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { s.skew(i, j, 0, 3, ni, nj); }));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { s.skew(i, j, 0, 0, ni, nj); }));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { s.skew(i, j, 4, 6, ni, nj); }));
  s.skew(i, j, 0, 1, ni, nj);
  s.skew(ni, nj, 1003, 997, i, j);
  Judged(f, {s.buffer()}).check({});
}

}  // namespace strata::test::known_failures_test
