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

}  // namespace strata::test::ranks_test
