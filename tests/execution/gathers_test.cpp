// Reads at data-dependent indices.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include <limits>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::gathers_test {

using reference::Point;

namespace {

// out(i) = table(at(i)) + i
struct Gather {
  Function f{"gather"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N};
  Input at = f.input("at", i64, {N}), table = f.input("table", i32, {M});
  Computation out = f.computation("out", {i}, table(at(i)) + cast(i32, i));

  std::vector<Buffer> arguments() const { return {at.buffer(), table.buffer(), out.buffer()}; }
  // Indices in bounds, not sorted.
  reference::Arrays inside(std::int64_t n, std::int64_t m) const {
    reference::Arrays given;
    given["at"] = reference::filled(f.program(), {{"N", n}, {"M", m}}, "at",
                                    [m](const Point& p) { return double((p[0] * 7 + 3) % m); });
    return given;
  }
};

int called(const JitFunction& kernel, const std::vector<std::int64_t>& at,
           const std::vector<std::int32_t>& table, std::vector<std::int32_t>& out) {
  const auto n = std::int64_t(at.size()), m = std::int64_t(table.size());
  Array<std::int64_t> a({n});
  Array<std::int32_t> t({m}), o({n});
  for (std::int64_t x = 0; x < n; ++x) a(x) = at[std::size_t(x)];
  for (std::int64_t x = 0; x < m; ++x) t(x) = table[std::size_t(x)];
  const int code = kernel({n, m}, {a, t, o});
  out.clear();
  for (std::int64_t x = 0; x < n; ++x) out.push_back(o(x));
  return code;
}

constexpr std::int64_t smallest_index = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest_index = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("a gather in every schedule", "[gathers]") {
  SECTION("in order") {
    Gather g;
    Judged gather(g.f, g.arguments());
    for (const std::int64_t n : {0, 1, 9}) gather.check({n, 5}, g.inside(n, 5));
  }
  SECTION("in a vector") {
    Gather g;
    g.out.vectorize(g.i, 8);
    Judged gather(g.f, g.arguments());
    for (const std::int64_t n : {1, 8, 29}) gather.check({n, 5}, g.inside(n, 5));
  }
  SECTION("in parallel vectors") {
    Gather g;
    const Var outer("outer"), inner("inner");
    g.out.split(g.i, 16, outer, inner);
    g.out.vectorize(inner, 4);
    g.out.parallelize(outer);
    Judged gather(g.f, g.arguments());
    gather.check({45, 6}, g.inside(45, 6));
  }
}

TEST_CASE("an index outside the table is reported, and nothing is read there", "[gathers]") {
  const std::vector<std::int64_t> wrong{5, -1, smallest_index, largest_index, 1 << 20};
  for (const bool vector : {false, true}) {
    Gather g;
    if (vector) {
      const Var outer("outer"), inner("inner");
      g.out.split(g.i, 8, outer, inner);
      g.out.vectorize(inner);
      g.out.parallelize(outer);
    }
    const JitFunction kernel = g.f.jit(g.arguments());
    std::vector<std::int32_t> out;
    for (const std::int64_t index : wrong) {
      for (const std::size_t where : {0, 3, 18}) {
        std::vector<std::int64_t> at(19, 2);
        at[where] = index;
        CHECK(called(kernel, at, {10, 11, 12, 13, 14}, out) == strata_error_index_out_of_range);
        CHECK(std::string(strata_last_error()).find("gather: index 0 of table was ") == 0);
      }
    }
    CHECK(called(kernel, std::vector<std::int64_t>(19, 4), {10, 11, 12, 13, 14}, out) == 0);
    CHECK(out[18] == 14 + 18);
    CHECK(called(kernel, {0}, {}, out) == strata_error_index_out_of_range);
    CHECK(called(kernel, {}, {}, out) == 0);
  }
}

TEST_CASE("the message names the index and the table", "[gathers]") {
  Gather g;
  const JitFunction kernel = g.f.jit(g.arguments());
  std::vector<std::int32_t> out;
  CHECK(called(kernel, {1, 7, 0}, {10, 11, 12}, out) == strata_error_index_out_of_range);
  CHECK(std::string(strata_last_error()) ==
        "gather: index 0 of table was 7 in some iteration, but the elements range from 0 to 2");
}

TEST_CASE("an index that cannot leave the table is not checked", "[gathers]") {
  Function f("table");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N);
  f.assume(M > 0);
  Input in = f.input("in", u8, {N}), wide = f.input("wide", i64, {N});
  Input table = f.input("table", i32, {256}), other = f.input("other", i32, {M});
  Computation out = f.computation(
      "out", {i}, table(in(i)) + other(clamp(wide(i), 0, M - 1)) + other(wide(i) % M));
  out.vectorize(i, 8);
  Judged lookup(f, {in.buffer(), wide.buffer(), table.buffer(), other.buffer(), out.buffer()});
  CHECK(to_c_text(lookup.tree()).find("checked") == std::string::npos);
  reference::Arrays given;
  given["wide"] = reference::filled(f.program(), {{"N", 20}, {"M", 7}}, "wide", [](const Point& p) {
    return (p[0] % 2 ? 1 : -1) * double(p[0]) * 9e17;
  });
  lookup.check({20, 7}, given);
  lookup.check({20, 7});
}

TEST_CASE("arithmetic on an index that may be anything wraps", "[gathers]") {
  Function f("wraps");
  Var i("i", 0, 8);
  Input at = f.input("at", i64, {8}), table = f.input("table", i32, {10});
  Computation four = f.computation("four", {i}, table(min(at(i) * 4, 9)));
  Computation next = f.computation("next", {i}, table(min(max(at(i) / 8, 0) + 1, 9)));
  const JitFunction kernel = f.jit({at.buffer(), table.buffer(), four.buffer(), next.buffer()});
  Array<std::int64_t> a({8});
  Array<std::int32_t> t({10}), o({8}), p({8});
  for (std::int64_t x = 0; x < 8; ++x) a(x) = x;
  CHECK(kernel({}, {a, t, o, p}) == 0);
  a(3) = std::int64_t{1} << 62;  // 4 times that is 0
  CHECK(kernel({}, {a, t, o, p}) == 0);
  a(3) = std::int64_t{1} << 61;  // 4 times that is the smallest number
  CHECK(kernel({}, {a, t, o, p}) == strata_error_index_out_of_range);
  CHECK(std::string(strata_last_error()).find("index 0 of table was -46") != std::string::npos);
}

TEST_CASE("the successor of the largest index is out of range", "[gathers]") {
  Function f("next");
  Var i("i", 0, 8);
  Input at = f.input("at", i64, {8}), table = f.input("table", i32, {10});
  Computation out = f.computation("out", {i}, table(min(max(at(i), 0) + 1, 9)));
  const JitFunction kernel = f.jit({at.buffer(), table.buffer(), out.buffer()});
  Array<std::int64_t> a({8});
  Array<std::int32_t> t({10}), o({8});
  CHECK(kernel({}, {a, t, o}) == 0);
  a(3) = largest_index;
  CHECK(kernel({}, {a, t, o}) == strata_error_index_out_of_range);
}

TEST_CASE("a computation is read at indices from data", "[gathers]") {
  Function f("permuted");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input at = f.input("at", i32, {N}), in = f.input("in", i32, {N});
  Computation S = f.computation("S", {i}, in(i) * 3);
  Computation T = f.computation("T", {j}, S(at(j)) + S(j));
  SECTION("it runs after all of it") {
    S.vectorize(i, 4);
    T.parallelize(j);
    Judged permuted(f, {at.buffer(), in.buffer(), T.buffer()});
    reference::Arrays given;
    given["at"] = reference::filled(f.program(), {{"N", 11}}, "at",
                                    [](const Point& p) { return double((p[0] * 4 + 1) % 11); });
    permuted.check({11}, given);
  }
  SECTION("and not beside it") {
    const Refusal refusal = refusal_of([&] { T.after(S, i); });
    CHECK(refusal.code == Code::E0201_dependence_reversed);
    CHECK(refusal.explanation.find("everything that may happen is assumed to happen") !=
          std::string::npos);
    REQUIRE(refusal.witness);
    CHECK(refusal.witness->executions[0].instance == "S[1]");
    CHECK(refusal.witness->executions[1].instance == "T[0]");
  }
  SECTION("each reader may compute all of it") {
    T.split(j, 4, Var("j0"), Var("j1"));
    S.compute_at(T, Var("j0"));
    Judged permuted(f, {at.buffer(), in.buffer(), T.buffer()});
    reference::Arrays given;
    given["at"] = reference::filled(f.program(), {{"N", 6}}, "at",
                                    [](const Point& p) { return double(5 - p[0]); });
    permuted.check({6}, given);
  }
}

TEST_CASE("a warp through computed coordinates", "[gathers]") {
  Function f("warp");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input img = f.input("img", f32, {N, M}), x = f.input("x", f32, {N, M});
  f.assume(N > 0);
  Computation out =
      f.computation("out", {i, j}, img(clamp(cast(i64, floor(x(i, j))) + i, 0, N - 1), j));
  out.vectorize(j, 8);
  Judged warp(f, {img.buffer(), x.buffer(), out.buffer()});
  warp.check({5, 19});
}

TEST_CASE("products of iterators are indices too", "[gathers]") {
  Function f("products");
  Var i("i", 0, 5), j("j", 0, 4);
  Input in = f.input("in", i32, {13});
  Computation out = f.computation("out", {i, j}, in(i * j));
  Judged(f, {in.buffer(), out.buffer()}).check({});
}

TEST_CASE("elements of a box that do not exist are not read", "[gathers]") {
  Function f("triangle");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, N);
  Input at = f.input("at", i32, {N});
  Computation T = f.computation("T", {i, j}, cast(i32, i + j));
  CHECK(refuses(f, Code::E0113_read_outside_domain, [&] { f.computation("U", {k}, T(at(k), k)); }));
  Computation U = f.computation("U", {k}, T(N - 1, clamp(cast(i64, at(k)), 0, N - 1)));
  Judged(f, {at.buffer(), U.buffer()}).check({5});
}

TEST_CASE("a read of what updates may have changed last", "[gathers]") {
  Function f("updated");
  Param N = f.param("N");
  Var i("i", 0, N), e("e", 0, N), k("k", 0, N);
  Input at = f.input("at", i32, {N}), in = f.input("in", i32, {N});
  Computation S = f.computation("S", {i}, in(i));
  Computation doubled = S.update({e}, {e}, select(e % 2 == 0, S(e) * 2, S(e)));
  Computation out = f.computation("out", {k}, S(at(k)));
  CHECK(refuses(f, Code::E0201_dependence_reversed, [&] { out.after(doubled, e); }));
  CHECK(refuses(f, Code::E0201_dependence_reversed, [&] { out.before(doubled, root); }));
  Judged updated(f, {at.buffer(), in.buffer(), S.buffer(), out.buffer()});
  reference::Arrays given;
  given["at"] = reference::filled(f.program(), {{"N", 9}}, "at",
                                  [](const Point& p) { return double(8 - p[0]); });
  updated.check({9}, given);
}

TEST_CASE("commands move what is an index", "[gathers]") {
  Function f("moved");
  Param N = f.param("N"), M = f.param("M");
  f.assume(M > 0);
  Var i("i", 0, N), i0("i0"), i1("i1");
  Input at = f.input("at", i32, {N}), table = f.input("table", i32, {M});
  Computation where = f.computation("where", {i}, cast(i64, at(i)) % M);
  Computation out = f.computation("out", {i}, table(where(i)) * 2);
  SECTION("a computation") {}
  SECTION("inside its reader") { where.set_inline(); }
  SECTION("computed for each tile") {
    out.split(i, 4, i0, i1);
    where.compute_at(out, i0);
    out.vectorize(i1);
  }
  Judged moved(f, {at.buffer(), table.buffer(), out.buffer()});
  for (const std::int64_t n : {0, 5, 13}) moved.check({n, 3});
}

TEST_CASE("a table is copied before it is read at indices from data", "[gathers]") {
  Function f("copied");
  Param N = f.param("N"), M = f.param("M");
  f.assume(M > 0);
  Var i("i", 0, N), x("x");
  Input at = f.input("at", i32, {N}), table = f.input("table", i32, {M});
  Computation out = f.computation("out", {i}, table(cast(i64, at(i)) % M));
  Computation any = f.computation("any", {i}, table(at(i)));
  out.split(i, 4, Var("i0"), Var("i1"));
  out.cache_at(Var("i0"), table, "copy", {x});
  any.cache_at(i, table, "other", {x});  // at an index that is checked when the kernel runs
  Judged copied(f, {at.buffer(), table.buffer(), out.buffer(), any.buffer()});
  reference::Arrays given;
  given["at"] = reference::filled(f.program(), {{"N", 9}, {"M", 4}}, "at",
                                  [](const Point& p) { return double(p[0] % 4); });
  copied.check({9, 4}, given);
}

}  // namespace strata::test::gathers_test
