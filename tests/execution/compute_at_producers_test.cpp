// compute_at around every kind of producer and reader.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::compute_at_producers_test {

namespace {

const Var i("i"), j("j"), k("k"), io("io"), jo("jo"), ii("ii"), ji("ji");

// Smaller and larger than the halo, the tiles and the vectors.
const std::vector<std::vector<std::int64_t>> sizes{{0, 0}, {1, 4}, {2, 2}, {3, 3},  {3, 17},
                                                   {4, 5}, {7, 3}, {9, 8}, {12, 6}, {17, 19}};

void check_all(Judged& judged) {
  for (const auto& size : sizes) judged.check(size);
}

// a -> b -> c, each reading its neighbours to the right and below.
struct Chain {
  Function f{"chain"};
  Param N = f.param("N"), M = f.param("M");
  Input in = f.input("in", i32, {N, M});
  Computation a = f.computation("a", {Var("i", 0, N), Var("j", 0, M)}, in(i, j) * 2 + 1);
  Computation b =
      f.computation("b", {Var("i", 0, N - 1), Var("j", 0, M - 1)}, a(i, j) - a(i + 1, j + 1) * 3);
  Computation c = f.computation("c", {Var("i", 0, N - 2), Var("j", 0, M - 2)},
                                b(i, j) * 5 + b(i + 1, j + 1) + b(i, j + 1));
  std::vector<Buffer> arguments() const { return {in.buffer(), c.buffer()}; }
};

void check_chain(const std::string& name, const std::function<void(Chain&)>& give) {
  INFO(name);
  Chain p;
  give(p);
  Judged judged(p.f, p.arguments());
  check_all(judged);
}

}  // namespace

TEST_CASE("compute_at of chains", "[compute_at]") {
  check_chain("both in the outermost loop",
              [](Chain& p) { p.b.compute_at(p.c, i), p.a.compute_at(p.c, i); });
  check_chain("a in b, b in c", [](Chain& p) { p.b.compute_at(p.c, i), p.a.compute_at(p.b, i); });
  check_chain("a in b, then b in c in another nest of b", [](Chain& p) {
    p.c.tile(i, j, 3, 4, io, jo, ii, ji);
    p.b.compute_at(p.c, jo);
    p.a.compute_at(p.c, io);
  });
  check_chain("a outside, b inside", [](Chain& p) {
    p.c.split(i, 4, io, ii);
    p.b.compute_at(p.c, ii);
    p.a.compute_at(p.c, io);
    p.c.parallelize(io);
  });
  check_chain("innermost", [](Chain& p) { p.b.compute_at(p.c, j), p.a.compute_at(p.c, j); });
  check_chain("a inside of b's own loop", [](Chain& p) {
    p.c.tile(i, j, 3, 4, io, jo, ii, ji);
    p.b.compute_at(p.c, jo);
    p.a.compute_at(p.b, i);
    p.b.vectorize(j, 4);
    p.c.vectorize(ji, 4);
  });
}

namespace {

// One producer, two readers.
struct Fork {
  Function f{"fork"};
  Param N = f.param("N"), M = f.param("M");
  Var rows{"i", 0, N}, columns{"j", 0, M};
  Input in = f.input("in", i32, {N, M});
  Computation p = f.computation("p", {rows, columns}, in(i, j) * 7 - 1);
  Computation y = f.computation("y", {Var("i", 0, N - 1), columns}, p(i, j) + p(i + 1, j) * 2);
  Computation z = f.computation("z", {rows, Var("j", 0, M - 1)}, p(i, j) - p(i, j + 1));
  std::vector<Buffer> arguments() const { return {in.buffer(), y.buffer(), z.buffer()}; }
};

void check_fork(const std::string& name, const std::function<void(Fork&)>& give) {
  INFO(name);
  Fork p;
  give(p);
  Judged judged(p.f, p.arguments());
  check_all(judged);
}

}  // namespace

TEST_CASE("compute_at under two readers", "[compute_at]") {
  check_fork("in both", [](Fork& q) { q.p.compute_at({{q.y, i}, {q.z, i}}); });
  check_fork("at different levels", [](Fork& q) {
    q.y.tile(i, j, 4, 4, io, jo, ii, ji);
    q.z.split(i, 3, io, ii);
    q.p.compute_at({{q.y, jo}, {q.z, io}});
    q.y.parallelize(io);
  });
  check_fork("in another order", [](Fork& q) { q.p.compute_at({{q.z, j}, {q.y, i}}); });
  check_fork("in a loop of both", [](Fork& q) {
    q.z.after(q.y, i);
    q.p.compute_at(q.z, i);
  });
  check_fork("in a loop of both, named by the other", [](Fork& q) {
    q.y.after(q.z, i);
    q.p.compute_at(q.z, i);
    q.z.parallelize(i);
  });
  check_fork("in their loops inside a loop of both", [](Fork& q) {
    q.z.after(q.y, i);
    q.p.compute_at({{q.y, j}, {q.z, j}});
  });
  Fork q;
  CHECK(refuses(q.f, Code::E0107_wrong_owners, [&] { q.p.compute_at(q.y, i); }));
}

TEST_CASE("compute_at of a producer that reads itself", "[compute_at]") {
  for (const bool along_rows : {true, false}) {
    for (int level = 0; level < 4; ++level) {
      INFO((along_rows ? "along rows, level " : "along columns, level ") << level);
      Function f("running");
      Param N = f.param("N"), M = f.param("M");
      Var rows("i", 0, N), columns("j", 0, M);
      Input in = f.input("in", i32, {N, M});
      Computation s = f.declare("s", {rows, columns}, i32);
      s.define(in(i, j) +
               (along_rows ? select(j > 0, s(i, j - 1), 3) : select(i > 0, s(i - 1, j) * 2, 1)));
      Computation r = f.computation("r", {rows, columns}, s(i, j) * 2 - in(i, j));
      r.tile(i, j, 3, 4, io, jo, ii, ji);
      s.compute_at(r, std::vector<Var>{io, jo, ii, ji}[std::size_t(level)]);
      Judged judged(f, {in.buffer(), r.buffer()});
      for (const auto& size :
           std::vector<std::vector<std::int64_t>>{{0, 0}, {1, 1}, {2, 3}, {4, 5}, {7, 9}})
        judged.check(size);
    }
  }
}

TEST_CASE("compute_at of a reduction", "[compute_at]") {
  for (int level = 0; level < 4; ++level) {
    INFO("level " << level);
    Function f("reducing");
    Param N = f.param("N"), M = f.param("M");
    Var rows("i", 0, N), columns("j", 0, M), over("k", 0, M);
    Input in = f.input("in", i32, {N, M});
    Computation s = f.computation("s", {rows, columns}, sum(over, in(i, k) * in(i, j)));
    Computation r = f.computation("r", {Var("i", 0, N - 1), columns}, s(i, j) - s(i + 1, j) * 3);
    r.tile(i, j, 2, 3, io, jo, ii, ji);
    s.compute_at(r, std::vector<Var>{io, jo, ii, ji}[std::size_t(level)]);
    if (level == 1) r.parallelize(io);
    Judged judged(f, {in.buffer(), r.buffer()});
    for (const auto& size :
         std::vector<std::vector<std::int64_t>>{{0, 0}, {1, 2}, {2, 1}, {4, 4}, {5, 7}})
      judged.check(size);
  }
}

TEST_CASE("compute_at of a reduction under two readers", "[compute_at]") {
  Function f("reducing");
  Param N = f.param("N"), M = f.param("M");
  Var rows("i", 0, N), over("k", 0, M);
  Input in = f.input("in", i32, {N, M});
  Computation s = f.computation("s", {rows}, sum(over, in(i, k)));
  Computation y = f.computation("y", {rows}, s(i) + 1);
  Computation z = f.computation("z", {Var("i", 0, N - 1)}, s(i) * s(i + 1));
  SECTION("each alone") {
    s.compute_at({{y, i}, {z, i}});
    y.parallelize(i);
  }
  SECTION("in tiles") {
    y.split(i, 3, io, ii);
    z.split(i, 4, io, ii);
    s.compute_at({{y, io}, {z, ii}});
  }
  SECTION("in one loop of both") {
    z.after(y, i);
    s.compute_at(y, i);
  }
  Judged judged(f, {in.buffer(), y.buffer(), z.buffer()});
  for (const auto& size :
       std::vector<std::vector<std::int64_t>>{{0, 0}, {1, 0}, {1, 2}, {2, 1}, {4, 4}, {9, 3}})
    judged.check(size);
}

TEST_CASE("compute_at in a shared loop", "[compute_at]") {
  // d also reads c and shares its loop: the part of a needed by c is computed before d.
  for (const bool d_first : {false, true}) {
    Function f("shared");
    Param N = f.param("N"), M = f.param("M");
    Var rows("i", 0, N), columns("j", 0, M);
    Input in = f.input("in", i32, {N, M});
    Computation a = f.computation("a", {rows, columns}, in(i, j) + 4);
    Computation c = f.computation("c", {rows, columns}, a(i, j) * a(i, M - 1 - j));
    Computation d = f.computation("d", {rows, columns}, in(i, j) * 5);
    if (d_first)
      d.before(c, i);
    else
      d.after(c, i);
    a.compute_at(c, i);
    c.vectorize(j, 4);
    Judged judged(f, {in.buffer(), c.buffer(), d.buffer()});
    check_all(judged);
  }
}

TEST_CASE("a row that lives in one iteration", "[allocate_at]") {
  // temp(i, j) in temp[j], allocated in loop i.
  Function f("row");
  Param N = f.param("N"), M = f.param("M");
  Var rows("i", 0, N), columns("j", 0, M);
  Computation temp = f.computation("temp", {rows, columns}, cast(i32, i + j));
  Computation result = f.computation("result", {rows, columns}, temp(i, j) + 1);
  SECTION("beside each other in i") { result.after(temp, i); }
  SECTION("in one loop j") { result.after(temp, j); }
  temp.store_in({j}).allocate_at(result, i);
  result.parallelize(i);
  Judged judged(f, {result.buffer()});
  check_all(judged);
  CHECK(judged.check({3, 4})["result"].integer({2, 3}) == 6);
}

TEST_CASE("compute_at innermost, with values at the borders", "[compute_at]") {
  for (const bool innermost : {true, false}) {
    Function f("borders");
    Param N = f.param("N"), M = f.param("M");
    f.assume(M >= 2);
    Var rows("i", 0, N);
    Computation s0 = f.computation("s0", {rows, Var("j", 0, M)}, cast(i32, i * 10 + j));
    Computation s1 = f.computation("s1", {rows, Var("j", 1, M - 1)},
                                   (s0(i, j - 1) + s0(i, j) + s0(i, j + 1)) / 3);
    Computation s2 = f.computation("s2", {rows}, (s0(i, 0) + s0(i, 1)) / 2);
    Computation s3 = f.computation("s3", {rows}, (s0(i, M - 2) + s0(i, M - 1)) / 2);
    s0.compute_at({{s1, innermost ? j : i}, {s2, i}, {s3, i}});
    Judged judged(f, {s1.buffer(), s2.buffer(), s3.buffer()});
    for (std::int64_t m : {2, 3, 10}) judged.check({4, m});
    const auto all = judged.check({10, 10});
    CHECK(all["s1"].integer({3, 4}) == 34);
    CHECK(all["s2"].integer({3}) == 30);
    CHECK(all["s3"].integer({3}) == 38);
  }
}

}  // namespace strata::test::compute_at_producers_test
