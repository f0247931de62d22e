// E0209, E0210, E0402: what several ranks cannot run.
#include <strata/strata.h>

#include "tests/error/told.h"

namespace strata::test::ranks_test {

namespace {

// u(t, i) = u(t - 1, i) + u(t - 1, i + 1), of int32.
struct Steps {
  Function f{"f"};
  Param T = f.param("T"), N = f.param("N");
  Partition rows = f.partition("rows", N);
  Var t{"t", 0, T}, i{"i", 0, N};
  Computation u = f.declare("u", {t, i}, i32);
  Steps() { u.define(select(t > 0 && i < N - 1, u(t - 1, i) + u(t - 1, i + 1), cast(i32, i + 0))); }
};

}  // namespace

TEST_CASE("E0209: iterations outside of a partition", "[error][ranks]") {
  Steps s;
  const Partition few = s.f.partition("few", s.N - 1);
  CHECK(told(s.f, [&] { s.u.distribute(s.i, few); }) ==
        R"(error E0209 outside partition
  in distribute(u.i, few) at HERE
  loop i has iterations outside of the partition few
  for example, with T = 1, N = 1:
    u[0, 0] at [0, 0, 0, 0, 0] is in iteration 0, which no rank has
  to fix it: distribute it by a partition of at least that size, that begins at 0
)");
}

TEST_CASE("E0210: a message would have to arrive in the middle of a loop", "[error][ranks]") {
  Function f("f");
  const Param N = f.param("N");
  const Partition rows = f.partition("rows", N);
  const Var i("i", 0, N);
  Computation u = f.declare("u", {i}, i32);
  u.define(select(i > 0, 3 * u(i - 1), 1));
  u.distribute(i, rows);
  CHECK(told(f, [&] { f.codegen({u.buffer()}, "never.o"); }) ==
        R"(error E0210 message reversed
  in codegen(f) at HERE
  ranks would wait in the middle of a distributed loop for values of u
  for example, with N = 2:
    u[0] at [0, 0, 0] computes on one rank the value that
    u[1] at [0, 1, 0] uses, perhaps on another, and no loop around puts them in order
  to fix it: carry the dependence by a sequential loop around it, or distribute another loop
)");
}

TEST_CASE("E0402: two partitions", "[error][ranks]") {
  Steps s;
  const Partition other = s.f.partition("other", s.N);
  const Var x("x", 0, s.N);
  s.u.distribute(s.i, s.rows);
  Computation v = s.f.computation("v", {x}, cast(i32, x + 0));
  v.distribute(x, other);
  CHECK(told(s.f, [&] { s.f.codegen({s.u.buffer(), v.buffer()}, "never.o"); }) ==
        R"(error E0402 not on ranks
  in codegen(f) at HERE
  loops are distributed by other and by rows, and a kernel cannot have two partitions yet
  to fix it: distribute all loops by one partition
)");
}

TEST_CASE("E0402: in process", "[error][ranks]") {
  Steps s;
  s.u.distribute(s.i, s.rows);
  CHECK(told(s.f, [&] { s.f.jit({s.u.buffer()}); }) ==
        R"(error E0402 not on ranks
  in jit(f) at HERE
  a kernel on several ranks does not run in process yet
  to fix it: write it with codegen, and call it from a program that mpirun starts
)");
}

TEST_CASE("E0207: a sum over a distributed loop", "[error][ranks]") {
  Function f("f");
  const Param N = f.param("N");
  const Partition rows = f.partition("rows", N);
  const Var i("i", 0, 1), k("k", 0, N);
  const Input a = f.input("a", i32, {N});
  Computation s = f.computation("s", {i}, sum(k, a(k)));
  s.distribute(k, rows);
  CHECK(told(f, [&] { f.codegen({a.buffer(), s.buffer()}, "never.o"); }) ==
        R"(error E0207 reduction concurrent
  in codegen(f) at HERE
  contributions to one result of s would run on several ranks
  to fix it: distribute a loop of the result, or give each rank a result of its own with rfactor
)");
}

TEST_CASE("E0207: atomic steps of one element on several ranks", "[error][ranks]") {
  Function f("f");
  const Param N = f.param("N");
  const Partition rows = f.partition("rows", N);
  const Var i("i", 0, N), k("k", 0, N), x("x", 0, N);
  const Input a = f.input("a", i32, {N});
  Computation v = f.computation("v", {i}, cast(i32, 0));
  Computation steps = v.update({k}, {k / 2}, v(k / 2) + a(k));
  Computation out = f.computation("out", {x}, v(x));
  steps.atomic();
  steps.distribute(k, rows);
  CHECK(told(f, [&] { f.codegen({a.buffer(), out.buffer()}, "never.o"); }) ==
        R"(error E0207 reduction concurrent
  in codegen(f) at HERE
  contributions to one result of v would run on several ranks
  to fix it: distribute a loop of the result, or give each rank a result of its own with rfactor
)");
}

TEST_CASE("E0402: an element that depends on data", "[error][ranks]") {
  Function f("f");
  const Param N = f.param("N");
  const Partition rows = f.partition("rows", N);
  const Var i("i", 0, N), b("b", 0, 8), k("k", 0, N), j("j", 0, 20), x("x", 0, N);
  const Input a = f.input("a", i32, {N, 20});
  Computation h = f.computation("h", {i, b}, cast(i32, 0));
  const Expr bin = a(k, j) % 8;
  Computation counts = h.update({k, j}, {k, bin}, h(k, bin) + 1);
  Computation out = f.computation("out", {x}, select(x > 0, h(x - 1, 0), 0));
  h.distribute(i, rows);
  counts.distribute(k, rows);
  out.distribute(x, rows);
  CHECK(told(f, [&] { f.codegen({a.buffer(), out.buffer()}, "never.o"); }) ==
        R"(error E0402 not on ranks
  in codegen(f) at HERE
  out reads values of h_1 that other ranks make; elements that depend on data do not travel yet
  to fix it: copy them to a computation that is distributed, which can be sent
)");
}

TEST_CASE("E0210: a sum that is not complete before the loop of its reader", "[error][ranks]") {
  Function f("f");
  const Param N = f.param("N");
  const Partition rows = f.partition("rows", N);
  const Var i("i", 0, N), k("k", 0, 5);
  Computation x = f.declare("x", {i}, i32);
  x.define(sum(k, select(i > 0, x(i - 1), 1)));
  x.distribute(i, rows);
  const std::string text = told(f, [&] { f.codegen({x.buffer()}, "never.o"); });
  CHECK(text.find("E0210") != std::string::npos);
  CHECK(text.find("ranks would wait in the middle of a distributed loop for values of x") !=
        std::string::npos);
}

}  // namespace strata::test::ranks_test
