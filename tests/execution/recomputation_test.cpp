// compute_at and allocate_at on less simple domains, reads and orders of commands.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::recomputation_test {

namespace {

const Var i("i"), j("j"), k("k"), io("io"), jo("jo"), ii("ii"), ji("ji");

const std::vector<std::vector<std::int64_t>> sizes{{0, 0}, {1, 4}, {2, 2}, {3, 3},
                                                   {3, 9}, {4, 5}, {7, 3}, {9, 8}};

void check_all(const Function& f, const std::vector<Buffer>& arguments) {
  Judged judged(f, arguments);
  for (const auto& size : sizes) judged.check(size);
}

struct Grid {
  Function f{"grid"};
  Param N = f.param("N"), M = f.param("M");
  Var rows{"i", 0, N}, columns{"j", 0, M};
  Expr data(const Expr& row, const Expr& column) const { return cast(i32, row * 17 + column * 5); }
};

// The number of elements in the first allocation of "buffer"; -1 if there is none.
std::int64_t allocated(const Stmt& stmt, const std::string& buffer) {
  struct Visitor {
    const std::string& buffer;
    std::int64_t of(const StmtPtr& s) const { return s ? allocated(*s, buffer) : -1; }
    std::int64_t operator()(const Block& s) const {
      std::int64_t found = -1;
      for (const StmtPtr& part : s.body) found = std::max(found, of(part));
      return found;
    }
    std::int64_t operator()(const For& s) const { return of(s.body); }
    std::int64_t operator()(const If& s) const { return std::max(of(s.then), of(s.otherwise)); }
    std::int64_t operator()(const ThreadGuard& s) const { return of(s.body); }
    std::int64_t operator()(const Execute&) const { return -1; }
    std::int64_t operator()(const Free&) const { return -1; }
    std::int64_t operator()(const Barrier&) const { return -1; }
    std::int64_t operator()(const AwaitCopies&) const { return -1; }
    std::int64_t operator()(const DeviceCopy&) const { return -1; }
    std::int64_t operator()(const Mma&) const { return -1; }
    std::int64_t operator()(const Exchange&) const { return -1; }
    std::int64_t operator()(const Agree&) const { return -1; }
    std::int64_t operator()(const PrefetchBox&) const { return -1; }
    std::int64_t operator()(const Launch& s) const { return of(s.body); }
    std::int64_t operator()(const Allocate& s) const {
      if (s.buffer != buffer) return of(s.body);
      std::int64_t elements = 1;
      for (const Expr& extent : s.extents)
        elements *= extent.op() == Op::constant ? extent.node().integer : 1000;
      return elements;
    }
  };
  return std::visit(Visitor{buffer}, stmt);
}

}  // namespace

TEST_CASE("allocate_at at three levels takes as much as that level needs",
          "[case-16][allocate_at]") {
  const auto elements = [](const std::optional<Var>& level) {
    Function f("levels");
    Var rows("i", 0, 10), columns("j", 0, 10);
    Computation s0 = f.computation("s0", {rows, columns}, cast(i32, i * 10 + j));
    Computation s1 = f.computation("s1", {rows, columns}, s0(i, j) + 1);
    s1.after(s0, level ? *level : i);
    if (level) s0.allocate_at(s1, *level);
    Judged judged(f, {s1.buffer()});
    CHECK(judged.check({})["s1"].integer({3, 4}) == 35);
    return allocated(*judged.tree().body, "s0");
  };
  CHECK(elements(std::nullopt) == 100);
  CHECK(elements(i) == 10);
  CHECK(elements(j) == 1);
}

TEST_CASE("compute_at of an array that is updated in place", "[compute_at]") {
  Grid g;
  Computation x = g.f.computation("x", {g.rows, g.columns}, g.data(i, j) + 2);
  Computation twice = x.update({g.rows, g.columns}, {i, j}, x(i, j) * 2);
  Computation c = g.f.computation("c", {Var("i", 0, g.N - 1), g.columns}, x(i, j) - x(i + 1, j));
  SECTION("both in the reader's loop") {
    g.f.together([&] {
      twice.compute_at(c, i);
      x.compute_at(c, i);
    });
  }
  SECTION("the first one in the update's loop") { x.compute_at(twice, i); }
  check_all(g.f, {c.buffer()});
}

TEST_CASE("compute_at with reads that are strided, clamped and mirrored", "[compute_at]") {
  for (const Var& level : {i, j}) {
    Grid g;
    Computation p = g.f.computation("p", {g.rows, g.columns}, g.data(i, j) * 3);
    Computation c =
        g.f.computation("c", {g.rows, Var("j", 0, (g.M + 1) / 2)},
                        p(i, j * 2) + p(i, min(j + 3, g.M - 1)) - p(g.N - 1 - i, max(j - 2, 0)));
    p.compute_at(c, level);
    check_all(g.f, {c.buffer()});
  }
}

TEST_CASE("compute_at over triangles", "[compute_at]") {
  for (const Var& level : {io, jo, ii, ji}) {
    Grid g;
    const Var lower("j", 0, i + 1);
    Computation p = g.f.computation("p", {g.rows, lower}, cast(i32, i * 7 + j));
    Computation c = g.f.computation("c", {g.rows, lower}, p(i, j) + select(i > j, p(i - 1, j), 5));
    c.tile(i, j, 3, 2, io, jo, ii, ji);
    p.compute_at(c, level);
    check_all(g.f, {c.buffer()});
  }
}

TEST_CASE("compute_at of a scalar, and of one value for all", "[compute_at]") {
  Grid g;
  Computation p = g.f.computation("p", {}, constant(i32, 6) * 7);
  Computation q = g.f.computation("q", {g.columns}, p + cast(i32, j));
  Computation c = g.f.computation("c", {g.rows, g.columns}, q(j) * 2);
  q.compute_at(c, i);
  p.compute_at(c, i);
  c.parallelize(i);
  check_all(g.f, {c.buffer()});
}

TEST_CASE("compute_at of a reduction that reads a reduction", "[compute_at]") {
  Grid g;
  const Var over("k", 0, g.M);
  Computation a = g.f.computation("a", {g.rows}, sum(over, g.data(i, k)));
  Computation b = g.f.computation("b", {g.rows}, maximum(Var("k", 0, i + 1), a(k)));
  Computation c = g.f.computation("c", {g.rows, g.columns}, b(i) + cast(i32, j));
  b.compute_at(c, i);
  a.compute_at(c, i);
  c.parallelize(i);
  check_all(g.f, {c.buffer()});
}

TEST_CASE("compute_at of what remainders by several numbers choose is easy to prove",
          "[execution]") {
  Function f("remainders");
  f.set_budget(1'200'000);
  Param N = f.param("N");
  Var all("x", 0, N + 8), some("i", 0, N), tile("tile"), lane("lane");
  Input in = f.input("in", i32, {N + 8});
  Computation a = f.computation("a", {all}, in(all) * 3 + 1);
  Expr value = a(some);
  int shift = 0;
  for (const int by : {3, 5, 7, 11}) {
    ++shift;
    value = select(some % by < (by + 1) / 2, a(some + shift), value);
  }
  Computation out = f.computation("out", {some}, value);
  SECTION("at each element") { a.compute_at(out, some); }
  SECTION("at each tile of vectors") {
    out.split(some, 32, tile, lane);
    a.compute_at(out, tile);
    out.vectorize(lane, 8);
    out.parallelize(tile);
  }
  Judged judged(f, {in.buffer(), out.buffer()});
  for (const std::int64_t size : {0, 1, 7, 40, 100}) judged.check({size});
}

}  // namespace strata::test::recomputation_test
