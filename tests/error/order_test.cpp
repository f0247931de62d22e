// E0113, E02xx: reads of values that do not exist, and illegal orders, each with the smallest
// example.
#include <strata/strata.h>

#include "tests/error/told.h"

namespace strata::test::order_test {

namespace {

// s(x, y) = s(x - 1, y + 1) + in(x, y): reads one row up and one column to the right.
struct Diagonal : Grid {
  Var x{"x", 1, N}, y{"y", 1, M};
  Computation s = f.declare("s", {x, y}, f32);
  Diagonal() { s.define(select(x > 1 && y < M - 1, s(x - 1, y + 1), 0.0f) + in(x, y)); }
};

}  // namespace

TEST_CASE("E0113: reads outside", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, p.in(p.i - 1, 0)); }) ==
        R"(error E0113 read outside domain
  in computation(u) at HERE
  u reads outside in
  for example, with N = 1, M = 0:
    u[0] reads
    in[-1, 0], which is outside in
  to fix it: change the index, the domain of u or the extents of in
)");
  p.f.assume(p.M > 2);
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, p.s(p.i + 1, 2)); }) ==
        R"(error E0113 read outside domain
  in computation(u) at HERE
  u reads a value of s that is not defined
  for example, with N = 1, M = 3:
    u[0] reads
    s[1, 2], which is outside s
  to fix it: change the index or the domains, or read it under a select
)");
}

TEST_CASE("E0113: reads outside at sizes that an assumption excludes", "[error]") {
  Function f("f");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("i", 0, 10), r("r", 0, N);
  const Input padded = f.input("padded", f32, {N + 10}), grid = f.input("grid", f32, {N, M});
  const auto first_ten = [&](const Where& where) { f.computation("u", {i}, padded(i), where); };
  const Where here = Where::here();
  CHECK(told(f, [&] { first_ten(here); }, here) == R"(error E0113 read outside domain
  in computation(u) at HERE
  u reads outside padded
  for example, with N = -1:
    u[9] reads
    padded[9], which is outside padded
  to fix it: if it always holds, write f.assume(N >= 0) before; otherwise change the index, the domain of u or the extents of padded
)");
  CHECK(told(f, [&] { f.computation("v", {}, grid(0, 2)); }) == R"(error E0113 read outside domain
  in computation(v) at HERE
  v reads outside grid
  for example, with N = 0, M = 0:
    v[] reads
    grid[0, 2], which is outside grid
  to fix it: if it always holds, write f.assume(N >= 1 && M >= 3) before; otherwise change the index, the domain of v or the extents of grid
)");
  const Computation s = f.computation("s", {r}, cast(f32, r));
  CHECK(told(f, [&] { f.computation("w", {}, s(N - 1)); }) == R"(error E0113 read outside domain
  in computation(w) at HERE
  w reads a value of s that is not defined
  for example, with N = 0:
    w[] reads
    s[-1], which is outside s
  to fix it: if it always holds, write f.assume(N >= 1) before; otherwise change the index or the domains, or read it under a select
)");
  // An index that is wrong at every size, and one that is correct only if nothing is read.
  const auto mend = [&](const Expr& value) {
    return told(f, [&] { f.computation("x", {r}, value); });
  };
  CHECK(mend(padded(r + 11)).find("  to fix it: change the index") != std::string::npos);
  const Var few("few", 0, 5 - N);
  CHECK(told(f, [&] { f.computation("y", {few}, grid(few + N, 0)); }).find("assume") ==
        std::string::npos);
  f.assume(N >= 1 && M >= 3);
  first_ten(here);
  f.computation("v", {}, grid(0, 2));
  f.computation("w", {}, s(N - 1));
}

TEST_CASE("E0201: a reader before what it reads", "[error]") {
  Diagonal d;
  CHECK(told(d.f, [&] { d.s.interchange(d.x, d.y); }) == R"(error E0201 dependence reversed
  in interchange(s.x, s.y) at HERE
  exchanging x and y would read a value before it is computed
  for example, with N = 3, M = 3:
    s[1, 2] at [0, 2, 0, 1, 0] computes the value that
    s[2, 1] at [0, 1, 0, 2, 0] uses
)");
  CHECK(told(d.f, [&] { d.s.reverse(d.x); }) == R"(error E0201 dependence reversed
  in reverse(s.x) at HERE
  running x backwards would read a value before it is computed
  for example, with N = 3, M = 3:
    s[1, 2] at [0, -1, 0, 2, 0] computes the value that
    s[2, 1] at [0, -2, 0, 1, 0] uses
)");
  CHECK(told(d.f, [&] { d.s.tile(d.x, d.y, 4, 4); }) == R"(error E0201 dependence reversed
  in tile(s.x, s.y, 4, 4) at HERE
  running tile after tile would read a value before it is computed
  for example, with N = 3, M = 5:
    s[1, 4] at [0, 0, 0, 1, 0, 1, 0, 0, 0] computes the value that
    s[2, 3] at [0, 0, 0, 0, 0, 2, 0, 3, 0] uses
  to fix it: skew first, so that each tile needs only tiles before it: s.skew(x, y, 1, 0, 1, 1, x, y)
)");
  // Tiles of one row keep the order; tiles of two rows and one column do not.
  Diagonal any;
  const Param T = any.f.param("T"), U = any.f.param("U");
  CHECK(told(any.f, [&] { any.s.tile(any.x, any.y, T, U); }) == R"(error E0201 dependence reversed
  in tile(s.x, s.y, T, U) at HERE
  running tile after tile would read a value before it is computed
  for example, with N = 4, M = 3, T = 2, U = 1:
    s[2, 2] at [0, 1, 0, 2, 0, 2, 0, 2, 0] computes the value that
    s[3, 1] at [0, 1, 0, 1, 0, 3, 0, 1, 0] uses
  to fix it: skew first, so that each tile needs only tiles before it: s.skew(x, y, 1, 0, 1, 1, x, y)
)");
  CHECK(told(d.f, [&] { d.s.skew(d.x, d.y, 1, 2); }) == R"(error E0201 dependence reversed
  in skew(s.x, s.y, 1, 2, x, y) at HERE
  skewing x and y would read a value before it is computed
  for example, with N = 3, M = 3:
    s[1, 2] at [0, 5, 0, 2, 0] computes the value that
    s[2, 1] at [0, 4, 0, 1, 0] uses
)");
  CHECK(told(d.f, [&] { d.s.set_schedule("{ s[x, y] -> [0, -x, 0, y, 0] }"); }) ==
        R"(error E0201 dependence reversed
  in set_schedule(s, "{ s[x, y] -> [0, -x, 0, y, 0] }") at HERE
  this schedule of s would read a value before it is computed
  for example, with N = 3, M = 3:
    s[1, 2] at [0, -1, 0, 2, 0] computes the value that
    s[2, 1] at [0, -2, 0, 1, 0] uses
)");
}

TEST_CASE("E0201: tiles of time steps, and the skew that makes them legal", "[error]") {
  Function f("heat");
  const Param T = f.param("T"), N = f.param("N");
  const Var t("t", 1, T), i("i", 2, N - 2), j("j", 2, N - 2);
  const Input in = f.input("in", f32, {N, N});
  Computation u = f.declare("u", {t, i, j}, f32);
  const auto before = [&](const Expr& x, const Expr& y) {
    const Expr inside = t > 1 && x >= 2 && x < N - 2 && y >= 2 && y < N - 2;
    return select(inside, u(t - 1, x, y), in(x, y));
  };
  u.define(before(i - 2, j) + before(i + 2, j) + before(i, j));
  CHECK(told(f, [&] { u.tile(t, i, 8, 32); }) == R"(error E0201 dependence reversed
  in tile(u.t, u.i, 8, 32) at HERE
  running tile after tile would read a value before it is computed
  for example, with T = 3, N = 35:
    u[1, 32, 2] at [0, 0, 0, 1, 0, 1, 0, 0, 0, 2, 0] computes the value that
    u[2, 30, 2] at [0, 0, 0, 0, 0, 2, 0, 30, 0, 2, 0] uses
  to fix it: skew first, so that each tile needs only tiles before it: u.skew(t, i, 1, 0, 2, 1, t, i)
)");
  // The suggestion names only those of three loops that need it.
  const auto mend = [&](const Function& g, const std::function<void()>& act) {
    const std::string text = told(g, act);
    const auto at = text.find("to fix it: ");
    return at == std::string::npos ? "" : text.substr(at);
  };
  const std::string skew = "to fix it: skew first, so that each tile needs only tiles before it: ";
  CHECK(mend(f, [&] { u.tile(t, i, j, 8, 32, 32); }) == skew + "u.skew(t, i, 1, 0, 2, 1, t, i)\n");
  u.interchange(i, j);
  CHECK(mend(f, [&] { u.tile(t, j, i, 8, 32, 32); }) ==
        skew + "u.interchange(j, i).skew(t, i, 1, 0, 2, 1, t, i).interchange(i, j)\n");
  u.interchange(j, i).skew(t, i, 1, 0, 2, 1, t, i).interchange(i, j);
  u.tile(t, j, i, 8, 32, 32);
  // A skew by the outermost loop cannot help if a loop in between carries the dependence.
  Function g("g");
  const Param M = g.param("M");
  const Var a("a", 0, M), b("b", 1, M), c("c", 0, M - 1);
  Computation v = g.declare("v", {a, b, c}, i32);
  v.define(select(b > 1 && c < M - 2, v(a, b - 1, c + 1), 1));
  CHECK(mend(g, [&] { v.tile(a, b, c, 4, 4, 4); }) == "");
}

TEST_CASE("E0201: computations in the wrong order", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.after(p.t, root); }) == R"(error E0201 dependence reversed
  in after(s, t) at HERE
  moving s after t would read a value before it is computed
  for example, with N = 1, M = 1:
    s[0, 0] at [1, 0, 0, 0, 0] computes the value that
    t[0, 0] at [0, 0, 0, 0, 0] uses
)");
  p.t.after(p.s, p.i);
  CHECK(told(p.f, [&] { p.t.shift(p.i, -1); }) == R"(error E0201 dependence reversed
  in shift(t.i, -1) at HERE
  moving t along i would read a value before it is computed
  for example, with N = 1, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] computes the value that
    t[0, 0] at [0, -1, 1, 0, 0] uses
)");
}

TEST_CASE("E0201: a group is undone whole, and a refusal in it keeps its own words", "[error]") {
  Diagonal d;
  const auto group = [&](const Where& where) {
    d.f.together(
        [&] {
          d.s.parallelize(d.y);
          d.s.interchange(d.x, d.y);
        },
        where);
  };
  const Where here = Where::here();
  CHECK(told(d.f, [&] { group(here); }, here) == R"(error E0201 dependence reversed
  in together() at HERE
  a value would be read before it is computed
  for example, with N = 3, M = 3:
    s[1, 2] at [0, 2, 0, 1, 0] computes the value that
    s[2, 1] at [0, 1, 0, 2, 0] uses
)");
  CHECK(told(d.f,
             [&] {
               d.f.together([&] {
                 d.s.reverse(d.y);
                 d.s.split(d.k, 3);
               });
             }) ==
        R"(error E0102 unknown loop
  in split(s.k, 3) at HERE
  s has no loop k; it has x, y
)");
}

TEST_CASE("E0202: iterations that need each other", "[error]") {
  Diagonal d;
  CHECK(told(d.f, [&] { d.s.parallelize(d.x); }) == R"(error E0202 dependence carried
  in parallelize(s.x) at HERE
  iterations of x need values that other iterations compute
  for example, with N = 3, M = 3:
    s[1, 2] at [0, 1, 0, 2, 0] computes the value that
    s[2, 1] at [0, 2, 0, 1, 0] uses
)");
  CHECK(told(d.f, [&] { d.s.vectorize(d.x, 4); }) == R"(error E0202 dependence carried
  in vectorize(s.x, 4) at HERE
  lanes of x need values that other lanes compute
  for example, with N = 3, M = 3:
    s[1, 2] at [0, 0, 0, 1, 0, 2, 0] computes the value that
    s[2, 1] at [0, 0, 0, 2, 0, 1, 0] uses
)");
}

TEST_CASE("E0202: iterations of a scatter, and what to write in its place", "[error]") {
  Function f("histogram");
  const Param N = f.param("N");
  const Var i("i", 0, N), bin("bin", 0, 256);
  const Input img = f.input("img", u8, {N});
  Computation h = f.computation("h", {bin}, 0);
  Computation count = h.update({i}, {img(i)}, h(img(i)) + 1);
  CHECK(told(f, [&] { count.parallelize(i); }) == R"(error E0202 dependence carried
  in parallelize(h_1.i) at HERE
  iterations of i need values that other iterations compute (an access or a condition is not affine: everything that may happen is assumed to happen)
  for example, with N = 2:
    h_1[0] at [1, 0, 0] computes the value that
    h_1[1] at [1, 1, 0] uses
  to fix it: let each block of iterations update its own row, h_part(block, ..), and combine the rows with a reduction over the blocks, as examples/histogram does; or use h_1.atomic() first
)");
  CHECK(told(f, [&] { count.vectorize(i, 8); }).find("atomic") == std::string::npos);
  Computation last = h.update({i}, {img(i)}, cast(i32, i));
  CHECK(told(f, [&] { last.parallelize(i); }).find("to fix it") == std::string::npos);
}

TEST_CASE("E0203: two instances at one time", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.t.set_schedule("{ t[i, j] -> [1, i, 0, 3, 0] }"); }) ==
        R"(error E0203 not injective
  in set_schedule(t, "{ t[i, j] -> [1, i, 0, 3, 0] }") at HERE
  two instances of t would run at the same time
  for example, with N = 1, M = 2:
    t[0, 0] at [1, 0, 0, 0, 0] and
    t[0, 1] at [1, 0, 0, 0, 0] share it
  to fix it: let the schedule map give each instance a different time
)");
  CHECK(told(p.f, [&] { p.t.set_schedule("{ t[i, j] -> [0, i, 0, j, 0] }"); }) ==
        R"(error E0203 not injective
  in set_schedule(t, "{ t[i, j] -> [0, i, 0, j, 0] }") at HERE
  s and t would run at the same times
  to fix it: give them different static dimensions
)");
}

TEST_CASE("E0204: instances that never run", "[error]") {
  Pair p;
  p.f.assume(p.M > 0);
  CHECK(told(p.f, [&] { p.s.set_schedule("{ s[i, j] -> [0, i, 0, j, 0] : i > 0 }"); }) ==
        R"(error E0204 not scheduled
  in set_schedule(s, "{ s[i, j] -> [0, i, 0, j, 0] : i > 0 }") at HERE
  an instance of s is needed but never runs
  for example, with N = 1, M = 1:
    s[0, 0] is not scheduled, and
    t[0, 0] at [1, 0, 0, 0, 0] uses its value
  to fix it: schedule every instance
)");
  p.t.set_schedule("{ t[i, j] -> [1, i, 0, j, 0] : i > 0 }");
  CHECK(told(p.f, [&] { p.f.jit(p.arguments()); }) == R"(error E0204 not scheduled
  in codegen(in, t) at HERE
  an instance of t never runs
  for example, with N = 1, M = 1:
    t[0, 0] has no time
  to fix it: let the schedule cover the whole domain, or exclude the sizes with assume
)");
}

TEST_CASE("E0204: results that never start", "[error]") {
  Function f("f");
  Param N = f.param("N");
  f.assume(N > 1);
  Var i("i", 0, N), k("k", 0, i);
  Computation s = f.computation("s", {i}, sum(k, 1));
  Computation t = f.computation("t", {i, k}, s(i));
  s.compute_at(t, i);
  CHECK(told(f, [&] { f.jit({s.buffer(), t.buffer()}); }) == R"(error E0204 not scheduled
  in codegen(s, t) at HERE
  an instance of s_init never runs
  for example, with N = 2:
    s_init[0] has no time
  to fix it: let the schedule cover the whole domain, or exclude the sizes with assume
)");
}

TEST_CASE("E0205: loops with different tags", "[error]") {
  Pair p;
  p.s.parallelize(p.i);
  CHECK(told(p.f, [&] { p.s.fuse(p.i, p.t, p.i); }) == R"(error E0205 tags differ
  in fuse(s.i, t.i) at HERE
  loop i of s is parallel, but loop i of t is sequential
  to fix it: give both loops the same tag first, or tag the loop after it is shared
)");
  CHECK(told(p.f, [&] { p.t.after(p.s, p.j); }) == R"(error E0205 tags differ
  in after(t, s, j) at HERE
  loop i of s is parallel, but loop i of t is sequential
  to fix it: give both loops the same tag first, or tag the loop after it is shared
)");
}

TEST_CASE("E0206: definitions that read what comes later", "[error]") {
  Grid g;
  Computation a = g.f.declare("a", {g.i}, f32), b = g.f.declare("b", {g.i}, f32);
  a.define(b(g.i));
  CHECK(told(g.f, [&] { b.define(a(g.i)); }) == R"(error E0206 no legal order
  in define(b) at HERE
  a reads b before it is defined
  for example, with N = 1:
    b[0] at [1, 0, 0] computes the value that
    a[0] at [0, 0, 0] uses
  to fix it: define b first; write computations that read each other inside a common f.loop
)");
}

TEST_CASE("E0207: contributions of one result at the same time", "[error]") {
  Grid g;
  Computation r = g.f.computation("r", {g.i}, sum(g.j, g.in(g.i, g.j)));
  CHECK(told(g.f, [&] { r.parallelize(g.j); }) == R"(error E0207 reduction concurrent
  in parallelize(r.j) at HERE
  two contributions to one result of r would run at the same time
  for example, with N = 1, M = 2:
    r[0, 0] at [0, 0, 1, 0, 0] and
    r[0, 1] at [0, 0, 1, 1, 0] both add to it
  to fix it: give each iteration a partial result: r.rfactor(j, "r_part").parallelize(j); or use r.atomic() first
)");
  CHECK(told(g.f, [&] { r.vectorize(g.j, 8); }) == R"(error E0207 reduction concurrent
  in vectorize(r.j, 8) at HERE
  two contributions to one result of r would run at the same time
  for example, with N = 1, M = 2:
    r[0, 0] at [0, 0, 1, 0, 0, 0, 0] and
    r[0, 1] at [0, 0, 1, 0, 0, 1, 0] both add to it
  to fix it: give each iteration a partial result: r.split(j, 8, j, j_lane).rfactor(j_lane, "r_part").vectorize(j_lane)
)");
}

TEST_CASE("E0106: what has no partial results, and no atomic contributions", "[error]") {
  Grid g;
  Computation s = g.copy("s");
  Computation r = g.f.computation("r", {g.i}, sum(g.j, g.in(g.i, g.j)));
  CHECK(told(g.f, [&] { s.rfactor(g.j, "p"); }) == R"(error E0106 bad argument
  in rfactor(s.j, p) at HERE
  s is not a reduction
  to fix it: write it as a sum, or another reduction, over the iterator
)");
  CHECK(told(g.f, [&] { r.rfactor(g.i, "p"); }) == R"(error E0106 bad argument
  in rfactor(r.i, p) at HERE
  each iteration of i holds all contributions to its results, so there are no partial results
  to fix it: name a loop over reduced iterators
)");
  CHECK(told(g.f, [&] { s.atomic(); }) == R"(error E0106 bad argument
  in atomic(s) at HERE
  s is not a reduction
  to fix it: write it as a sum, or another reduction
)");
}

}  // namespace strata::test::order_test
