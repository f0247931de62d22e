// Instances that do nothing if a condition on data is false, and ranges read from arrays.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::predicates_test {

using reference::Point;

TEST_CASE("a disc is doubled", "[predicates][case-23]") {
  for (const bool affine : {false, true}) {
    Function f("disc");
    Var i("i", 0, 7), j("j", 0, 7), r("r", 0, 7), c("c", 0, 7);
    Computation S = f.computation("S", {i, j}, constant(i32, 5));
    Computation twice = S.update({r, c}, {r, c}, S(r, c) * 2);
    const Expr x = Expr(r) - 3, y = Expr(c) - 3;
    if (affine)
      twice.where((abs(x) < 2 || abs(y) < 2 || abs(x) + abs(y) < 5) && abs(x) <= 3 && abs(y) <= 3 &&
                  (abs(x) < 3 || abs(y) < 2) && (abs(y) < 3 || abs(x) < 2));
    else
      twice.where(x * x + y * y <= 10);
    twice.vectorize(c, 4);
    twice.parallelize(r);
    const auto out = Judged(f, {S.buffer()}).check({});
    int tens = 0, fives = 0;
    for (const Point& p : out["S"].elements()) {
      tens += out["S"].integer(p) == 10;
      fives += out["S"].integer(p) == 5;
    }
    CHECK(tens == 37);
    CHECK(fives == 12);
  }
}

namespace {

// S(i) = in(i); S(i) = -S(i) where flags(i) > 0; out(i) = S(i) + S(i + 1).
struct Flagged {
  Function f{"flagged"};
  Param N = f.param("N");
  Var i{"i", 0, N}, e{"e", 0, N}, k{"k", 0, N - 1};
  Input in = f.input("in", i32, {N}), flags = f.input("flags", i8, {N});
  Computation S = f.computation("S", {i}, in(i));
  Computation negated = S.update({e}, {e}, -S(e));
  Computation out;

  Flagged() : out(made()) {}
  Computation made() {
    negated.where(flags(e) > 0);
    return f.computation("out", {k}, S(k) + S(k + 1));
  }
  std::vector<Buffer> arguments() const { return {in.buffer(), flags.buffer(), out.buffer()}; }
};

}  // namespace

TEST_CASE("an update that may keep a value", "[predicates]") {
  SECTION("in order") {
    Flagged p;
    Judged flagged(p.f, p.arguments());
    for (const std::int64_t n : {0, 1, 2, 10}) flagged.check({n});
  }
  SECTION("in parallel vectors") {
    Flagged p;
    const Var outer("outer"), inner("inner");
    p.negated.split(p.e, 8, outer, inner);
    p.negated.vectorize(inner);
    p.negated.parallelize(outer);
    Judged flagged(p.f, p.arguments());
    for (const std::int64_t n : {7, 30}) flagged.check({n});
  }
  SECTION("the reader waits for it, whether it happens or not") {
    Flagged p;
    const Refusal refusal = refusal_of([&] { p.out.after(p.negated, p.e); });
    CHECK(refusal.code == Code::E0201_dependence_reversed);
    REQUIRE(refusal.witness);
    CHECK(refusal.witness->executions[0].instance == "S_1[1]");
  }
  SECTION("and it waits for what it may keep") {
    Flagged p;
    CHECK(refuses(p.f, Code::E0201_dependence_reversed, [&] { p.negated.before(p.S, root); }));
  }
}

TEST_CASE("a first definition has nothing to keep", "[predicates]") {
  Function f("first");
  Var i("i", 0, 8);
  Input in = f.input("in", i32, {8});
  Computation S = f.computation("S", {i}, in(i));
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { S.where(in(i) > 0); }));
  S.where(i < 5);
  Judged(f, {in.buffer(), S.buffer()}).check({});
  S.vectorize(i, 4);
  CHECK(refuses(f, Code::E0106_bad_argument, [&] { S.where(i < 3); }));
}

TEST_CASE("contributions under a condition", "[predicates]") {
  Function f("counted");
  Param N = f.param("N");
  Var b("b", 0, 5), i("i", 0, N);
  Input bin = f.input("bin", u8, {N});
  Computation count =
      f.computation("count", {b}, sum(i, constant(i32, 1))).where(cast(i64, bin(i)) % 5 == b);
  SECTION("in order") {}
  SECTION("bins in a vector") { count.vectorize(b); }
  SECTION("bins in parallel, inside") {
    count.interchange(b, i);
    count.vectorize(b);
  }
  Judged counted(f, {bin.buffer(), count.buffer()});
  for (const std::int64_t n : {0, 1, 23}) counted.check({n});
}

namespace {

// y = A x, with A in compressed rows.
struct Sparse {
  Function f{"sparse"};
  Param N = f.param("N"), M = f.param("M"), NNZ = f.param("NNZ");
  Var i{"i", 0, N};
  Input row, col = f.input("col", i32, {NNZ}), val = f.input("val", i32, {NNZ});
  Input x = f.input("x", i32, {M});
  Computation y;

  explicit Sparse(Type type = i32)
      : row(f.input("row", type, {N + 1})),
        y(f.computation("y", {i},
                        sum(Var("k", row(i), row(i + 1)), val(Var("k")) * x(col(Var("k")))))) {}
  std::vector<Buffer> arguments() const {
    return {row.buffer(), col.buffer(), val.buffer(), x.buffer(), y.buffer()};
  }
  // Every third row is empty; each other row has one entry more than the row before it.
  reference::Arrays rows(std::int64_t n, std::int64_t m, std::int64_t entries) const {
    const reference::Parameters sizes{{"N", n}, {"M", m}, {"NNZ", entries}};
    reference::Arrays given;
    given["row"] = reference::filled(f.program(), sizes, "row", [=](const Point& p) {
      std::int64_t start = 0;
      for (std::int64_t r = 0; r < p[0]; ++r) start += r % 3;
      return double(std::min(start, entries));
    });
    given["col"] = reference::filled(f.program(), sizes, "col",
                                     [m](const Point& p) { return double((p[0] * 5 + 2) % m); });
    return given;
  }
};

}  // namespace

TEST_CASE("a sparse matrix times a vector", "[predicates]") {
  for (const Type type : {i32, i64}) {
    Sparse s(type);
    SECTION("in order") {}
    SECTION("rows in parallel") { s.y.parallelize(s.i); }
    SECTION("rows in parallel blocks") {
      s.y.split(s.i, 4, Var("i0"), Var("i1"));
      s.y.parallelize(Var("i0"));
    }
    SECTION("rows in a vector") { s.y.vectorize(s.i, 4); }
    SECTION("entries in blocks of four") { s.y.split(Var("k"), 4, Var("k0"), Var("k1")); }
    SECTION("entries unrolled") {
      s.y.unroll(Var("k"), 4);
      s.y.parallelize(s.i);
    }
    Judged sparse(s.f, s.arguments());
    sparse.check({7, 5, 6}, s.rows(7, 5, 6));
    sparse.check({9, 3, 4}, s.rows(9, 3, 4));
    sparse.check({0, 3, 0}, s.rows(0, 3, 0));
    sparse.check({4, 3, 0}, s.rows(4, 3, 0));
  }
}

TEST_CASE("rows run from bound to bound", "[predicates]") {
  Sparse s;
  const std::string plain = s.f.loops(s.arguments());
  CHECK(plain.find("if (k ") == std::string::npos);
  CHECK(plain.find("for k in max(0, min(NNZ, cast(int64, load int32 row[i]))) .. "
                   "min(NNZ, max(0, cast(int64, load int32 row[i + 1])))") != std::string::npos);
  s.y.split(Var("k"), 4, Var("k0"), Var("k1"));
  const std::string blocks = s.f.loops(s.arguments());
  CHECK(blocks.find("for k0 in max(0, min(NNZ / 4, ") != std::string::npos);
}

TEST_CASE("rows run from bound to bound around other loops", "[predicates]") {
  Function f("spmm");
  Param N = f.param("N"), M = f.param("M"), NNZ = f.param("NNZ"), J = f.param("J");
  Input row = f.input("row", i32, {N + 1}), col = f.input("col", i32, {NNZ});
  Input val = f.input("val", i32, {NNZ}), b = f.input("b", i32, {M, J});
  Var i("i", 0, N), j("j", 0, J), k("k", row(i), row(i + 1));
  Computation c = f.computation("c", {i, j}, sum(k, val(k) * b(col(k), j)));
  SECTION("all columns") { c.interchange(j, k); }
  SECTION("vectors of columns") { c.interchange(j, k).vectorize(j, 4); }
  SECTION("tiles of columns") { c.split(j, 4, Var("j0"), j).interchange(j, k); }
  const std::vector<Buffer> arguments{row.buffer(), col.buffer(), val.buffer(), b.buffer(),
                                      c.buffer()};
  const std::string loops = f.loops(arguments);
  INFO(loops);
  CHECK(loops.find("for k in max(0, min(NNZ, cast(int64, load int32 row[i]))) ..") !=
        std::string::npos);
  Judged judged(f, arguments);
  for (const std::int64_t columns : {0, 1, 4, 7}) {
    reference::Arrays given = Sparse().rows(7, 5, 6);
    judged.check({7, 5, 6, columns}, given);
  }
}

TEST_CASE("a row runs its own entries only", "[predicates]") {
  Sparse s;
  Judged sparse(s.f, s.arguments());
  const reference::Parameters sizes{{"N", 5}, {"M", 3}, {"NNZ", 4}};
  const reference::Arrays given = s.rows(5, 3, 4);
  const auto inputs = reference::random_inputs(s.f.program(), sizes);
  reference::Arrays all = inputs;
  for (const auto& [name, array] : given) all[name] = array;
  reference::Instances idle;
  reference::run(s.f.program(), sizes, all, {}, {}, &idle);
  CHECK(idle.size() == 5 * 4 - 4);  // only one of 20 instances y[i, k] runs per entry
}

TEST_CASE("rows that point outside are cut", "[predicates]") {
  Sparse s(i64);
  s.y.parallelize(s.i);
  const JitFunction kernel = s.f.jit(s.arguments());
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Array<std::int64_t> row({4});
  Array<std::int32_t> col({3}), val({3}), x({2}), y({3});
  for (std::int64_t k = 0; k < 3; ++k) {
    col(k) = std::int32_t(k % 2);
    val(k) = std::int32_t(k + 1);
  }
  x(0) = 10, x(1) = 100;
  const auto run = [&](std::vector<std::int64_t> rows) {
    for (std::int64_t r = 0; r < 4; ++r) row(r) = rows[std::size_t(r)];
    CHECK(kernel({3, 2, 3}, {row, col, val, x, y}) == 0);
    return std::vector<std::int32_t>{y(0), y(1), y(2)};
  };
  CHECK(run({0, 1, 1, 3}) == std::vector<std::int32_t>{10, 0, 230});
  CHECK(run({-most - 1, 1, 2, most}) == std::vector<std::int32_t>{10, 200, 30});
  CHECK(run({most, -most, most, 0}) == std::vector<std::int32_t>{0, 240, 0});
}

TEST_CASE("a range from data that no read bounds is refused", "[predicates]") {
  Function f("unbounded");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input row = f.input("row", i32, {N + 1}), x = f.input("x", i32, {N});
  const Var k("k", row(i), row(i + 1));
  const Refusal refusal = refusal_of([&] { f.computation("y", {i}, sum(k, x(i))); });
  CHECK(refusal.code == Code::E0112_unbounded_domain);
  CHECK(refusal.mend == "give k affine bounds, and put the rest into where(..)");
  const Var c("c", 0, N);
  Computation y = f.computation("y", {i}, sum(c, x(i))).where(c >= row(i) && c < row(i + 1));
  Judged counted(f, {row.buffer(), x.buffer(), y.buffer()});
  reference::Arrays given;
  given["row"] = reference::filled(f.program(), {{"N", 4}}, "row",
                                   [](const Point& p) { return double(p[0]); });
  counted.check({4}, given);
}

TEST_CASE("updates over ranges from data", "[predicates]") {
  Function f("ranges");
  Param N = f.param("N");
  Var i("i", 0, N), r("r", 0, N);
  Input last = f.input("last", i32, {N}), in = f.input("in", i32, {N, N});
  Computation S = f.computation("S", {i}, constant(i32, 0));
  const Var k("k", 0, last(r));
  S.update({r, k}, {r}, S(r) * 3 + in(r, k));
  Judged ranges(f, {last.buffer(), in.buffer(), S.buffer()});
  reference::Arrays given;
  given["last"] = reference::filled(f.program(), {{"N", 5}}, "last",
                                    [](const Point& p) { return double((p[0] * 3) % 6); });
  ranges.check({5}, given);
}

}  // namespace strata::test::predicates_test
