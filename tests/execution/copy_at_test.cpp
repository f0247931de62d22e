// copy_at: values computed in one place and stored in another.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/product.h"
#include "tests/execution/refused.h"

namespace strata::test::copy_at_test {

namespace {

const Var io("io"), jo("jo"), ii("ii"), ji("ji"), x("x"), y("y");

struct Checked : Product {
  void check() {
    Judged judged(f, arguments());
    for (const auto& size : std::vector<std::vector<std::int64_t>>{
             {0, 3, 2}, {3, 2, 0}, {1, 1, 1}, {4, 8, 3}, {5, 9, 7}, {9, 17, 8}})
      judged.check(size);
  }
};

}  // namespace

TEST_CASE("a tile of sums in registers, by one command", "[copy_at]") {
  Checked p;
  p.c.tile(p.i, p.j, 4, 8, io, jo, ii, ji);
  Computation sums = p.c.copy_at(jo, "sums", {y, x});
  sums.interchange(ji, p.k).interchange(ii, p.k);
  p.check();
}

TEST_CASE("sums are private to threads, and have a layout of their own", "[copy_at]") {
  Checked p;
  p.c.tile(p.i, p.j, 4, 8, io, jo, ii, ji).parallelize(io);
  Computation sums = p.c.copy_at(jo, "sums", {y, x}, Memory::stack);
  sums.store_in({p.j, p.i});
  sums.vectorize(ji);
  p.c.vectorize(x, 4);
  p.check();
}

TEST_CASE("what is not a reduction is made elsewhere, too", "[copy_at]") {
  Function f("scan");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input in = f.input("in", i32, {N, N});
  Computation s = f.declare("s", {i, j}, i32);
  s.define(in(i, j) + select(j > 0, s(i, j - 1), 0));
  Computation t = f.computation("t", {i, j}, s(j, i) + s(i, j));
  s.copy_at(Var("i"), "row", {y, x});
  s.reverse(x);
  Judged judged(f, {in.buffer(), s.buffer(), t.buffer()});
  for (const std::int64_t n : {0, 1, 2, 5}) judged.check({n});
}

TEST_CASE("copies inside a loop that several definitions share", "[copy_at]") {
  Function f("waves");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 0, N);
  Input in = f.input("in", i32, {N});
  Computation start = f.computation("start", {i}, in(i));
  Computation u = start, v = start;
  f.loop(t, [&] {
    u = f.declare("u", {t, i}, i32);
    v = f.computation("v", {t, i}, u(t, i) + select(i > 0, u(t, i - 1), 1));
    u.define(select(t > 0, v(t - 1, N - 1 - i) * 3, start(i)));
  });
  u.copy_at(t, "step", {y, x});
  Judged judged(f, {in.buffer(), v.buffer()});
  for (const std::int64_t n : {0, 1, 2, 5}) judged.check({3, n});
}

TEST_CASE("what copy_at does not take", "[copy_at]") {
  Checked p;
  CHECK(refusal_of([&] { p.c.copy_at(p.k, "sums", {y, x}); }).code == Code::E0106_bad_argument);
  CHECK(refusal_of([&] { p.c.copy_at(p.j, "a", {y, x}); }).code == Code::E0104_name_taken);
  p.f.buffer("kept", i32, {p.N});
  CHECK(refusal_of([&] { p.c.copy_at(p.j, "kept", {y, x}); }).code == Code::E0104_name_taken);
  Computation d = p.c.update({p.i, p.j}, {p.i, p.j}, p.c(p.i, p.j) + 1);
  CHECK(refusal_of([&] { p.c.copy_at(p.j, "sums", {y, x}); }).explanation == "c is updated");
  p.check();
}

}  // namespace strata::test::copy_at_test
