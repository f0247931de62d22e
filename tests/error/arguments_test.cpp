// E0106, E0108 to E0112, E0117: wrong arguments of commands and definitions.
#include <strata/strata.h>

#include "tests/error/told.h"

namespace strata::test::arguments_test {

TEST_CASE("E0106: borders of loops that have none such", "[error]") {
  Pair p;
  p.s.vectorize(p.j, 8);
  CHECK(told(p.f, [&] { p.s.mask(p.i); }) == R"(error E0106 bad argument
  in mask(s.i) at HERE
  loop i is sequential, so it has no lanes to mask
  to fix it: vectorize it first, or use guard
)");
  CHECK(told(p.f, [&] { p.s.guard(Var("j_lane")); }) == R"(error E0106 bad argument
  in guard(s.j_lane) at HERE
  loop j_lane is a vector loop, whose lanes run together
  to fix it: switch lanes off with mask, or separate full vectors
)");
  CHECK(told(p.f, [&] { p.s.separate(p.k); }) == R"(error E0102 unknown loop
  in separate(s.k) at HERE
  s has no loop k; it has i, j, j_lane
)");
}

TEST_CASE("E0106: loops over tiles of a parametric size", "[error]") {
  Pair p;
  const Param T = p.f.param("T");
  p.s.split(p.i, T);
  CHECK(told(p.f, [&] { p.s.reverse(p.i); }) == R"(error E0106 bad argument
  in reverse(s.i) at HERE
  loop i steps over tiles whose size T is not known at compile time, and cannot be reversed
  to fix it: do this before the tiling or to the loops inside a tile, or give tile a constant size
)");
  CHECK(told(p.f, [&] { p.s.split(p.j, Param("W")); }) == R"(error E0101 unknown computation
  in split(s.j, W) at HERE
  the program has no parameter W
  to fix it: declare it with param("W") on this function
)");
}

TEST_CASE("E0106: prefetches that no iteration can make", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.prefetch(p.j, p.in, 0); }) == R"(error E0106 bad argument
  in prefetch(s.j, in, 0) at HERE
  the distance is 0
  to fix it: the distance must be 1 or more
)");
  CHECK(told(p.f, [&] { p.t.prefetch(p.j, p.t, 1); }) == R"(error E0101 unknown computation
  in prefetch(t.j, t, 1) at HERE
  t does not read t
  to fix it: name an array that it reads
)");
  p.s.prefetch(p.j, p.in, 8);
  CHECK(told(p.f, [&] { p.s.vectorize(p.j, 8); }) == R"(error E0106 bad argument
  in vectorize(s.j, 8) at HERE
  loop j_lane cannot prefetch in for s: the lanes of loop j_lane run together
  to fix it: prefetch at a loop around it, after the loops are tagged
)");
}

TEST_CASE("E0106: sizes, factors and loops of commands", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.split(p.i, 0); }) == R"(error E0106 bad argument
  in split(s.i, 0) at HERE
  the size is 0
  to fix it: the size must be 1 or more
)");
  CHECK(told(p.f, [&] { p.s.tile(p.i, p.j, 4, -1); }) == R"(error E0106 bad argument
  in tile(s.i, s.j, 4, -1) at HERE
  a tile size is -1
  to fix it: a tile size must be 1 or more
)");
  CHECK(told(p.f, [&] { p.s.tile(p.j, p.i, 4, 4); }) == R"(error E0106 bad argument
  in tile(s.j, s.i, 4, 4) at HERE
  s.i is not the loop directly inside s.j
  to fix it: name adjacent loops, outermost first; interchange makes loops adjacent
)");
  CHECK(told(p.f, [&] { p.s.interchange(p.i, p.i); }) == R"(error E0106 bad argument
  in interchange(s.i, s.i) at HERE
  s.i is named twice
  to fix it: name different loops
)");
  CHECK(told(p.f, [&] { p.s.skew(p.i, p.j, 2, 4); }) == R"(error E0106 bad argument
  in skew(s.i, s.j, 2, 4, i, j) at HERE
  2 i + 4 j leaves out iterations: 2 and 4 have the common factor 2
  to fix it: give 1 and 2
)");
  const Var x("x"), y("y");
  CHECK(told(p.f, [&] { p.s.skew(p.i, p.j, 1, 1, 1, 1, x, y); }) == R"(error E0106 bad argument
  in skew(s.i, s.j, 1, 1, 1, 1, x, y) at HERE
  1 * 1 - 1 * 1 is 0, so the new loops do not run each iteration once
  to fix it: the determinant must be 1 or -1
)");
  CHECK(told(p.f, [&] { p.s.vectorize(p.j); }) == R"(error E0106 bad argument
  in vectorize(s.j) at HERE
  the number of iterations of loop j has no constant bound
  to fix it: give a size: vectorize(s.j, 8)
)");
  CHECK(told(p.f, [&] { p.s.unroll(p.j, 0); }) == R"(error E0106 bad argument
  in unroll(s.j, 0) at HERE
  the factor is 0
  to fix it: the factor must be 1 or more
)");
  CHECK(told(p.f, [&] { p.f.set_budget(0); }) == R"(error E0106 bad argument
  in set_budget at HERE
  the budget is 0
  to fix it: give 1 operation or more
)");
  CHECK(told(p.f, [&] { p.s.after(p.s, p.i); }) == R"(error E0106 bad argument
  in after(s, s, i) at HERE
  s cannot be placed relative to itself
  to fix it: name another computation
)");
  CHECK(told(p.f, [&] { p.t.between(p.t, p.i, p.s, p.i); }) == R"(error E0106 bad argument
  in between(t, t, i, s, i) at HERE
  t cannot be placed relative to itself
  to fix it: name another computation
)");
  CHECK(told(p.f, [&] { p.s.fuse(p.i, p.t, p.j); }) == R"(error E0106 bad argument
  in fuse(s.i, t.j) at HERE
  s.i and t.j are not in the same loop body
  to fix it: fuse the loops around them first, or place the computations with after
)");
  CHECK(told(p.f, [&] { p.t.set_inline(); }) == R"(error E0106 bad argument
  in inline(t) at HERE
  t cannot be inlined: it is never read
)");
}

TEST_CASE("E0106: expressions that are not there", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, Expr()); }) == R"(error E0106 bad argument
  in computation(u) at HERE
  the value of u is an undefined Expr
  to fix it: give it an expression
)");
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, p.in(Expr(), 0)); }) ==
        R"(error E0106 bad argument
  in computation(u) at HERE
  an operand of an index of in is an undefined Expr
)");
  CHECK(told(p.f, [&] { p.f.computation("u", {Var("x", Expr(), 3)}, 1.0f); }) ==
        R"(error E0106 bad argument
  in computation(u) at HERE
  the lower bound of x is an undefined Expr
  to fix it: give it an expression
)");
  CHECK(told(p.f, [&] { p.t.update({p.i}, {p.i, Expr()}, 1.0f); }) == R"(error E0106 bad argument
  in update(t) at HERE
  index 1 of the element of t is an undefined Expr
  to fix it: give it an expression
)");
  CHECK(told(p.f, [&] { p.f.assume(Expr()); }) == R"(error E0106 bad argument
  in assume at HERE
  the assumption is an undefined Expr
  to fix it: give it an expression
)");
  CHECK(told(p.f, [&] { p.s.store_in({Expr(), p.j}); }) == R"(error E0106 bad argument
  in store_in(s, s, undefined, j) at HERE
  index 0 into s is an undefined Expr
  to fix it: give it an expression
)");
}

TEST_CASE("E0106: programs that are not whole", "[error]") {
  Pair p;
  const Var first("j", 0, p.M);
  CHECK(told(p.f, [&] { p.f.loop(p.i, [&] { p.f.computation("u", {first}, 1.0f); }); }) ==
        R"(error E0106 bad argument
  in computation(u) at HERE
  u is defined inside the loop i but its iterator 0 is not i
  to fix it: let its iterators start with those of the loops around it
)");
  CHECK(told(p.f, [&] { p.f.assume(p.N > 3 && p.N < 2); }) == R"(error E0106 bad argument
  in assume at HERE
  no parameter values satisfy all assumptions
  to fix it: assume a condition that some parameter values satisfy
)");
  p.f.declare("d", {p.i}, f32);
  CHECK(told(p.f, [&] { p.f.jit(p.arguments()); }) == R"(error E0106 bad argument
  in codegen(in, t) at HERE
  d is declared but has no value
  to fix it: give it one with define
)");
}

TEST_CASE("E0108: texts that are not in isl's notation", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.f.computation("u", Domain("u[i] : i > 0"), 1.0f); }) ==
        R"(error E0108 unreadable text
  in computation(u) at HERE
  the domain is not a set in isl's notation: syntax error
  to fix it: write it as "[N] -> { S[i, j] : 0 <= i <= j < N }"
)");
  CHECK(told(p.f, [&] { p.f.computation("u", Domain("{ u[i, 3] : i > 0 }"), 1.0f); }) ==
        R"(error E0108 unreadable text
  in computation(u) at HERE
  dimension 1 of the domain has no name
  to fix it: name every dimension, with conditions after the colon
)");
  CHECK(told(p.f, [&] { p.t.set_schedule("t[i, j] -> [j, i]"); }) ==
        R"(error E0108 unreadable text
  in set_schedule(t, "t[i, j] -> [j, i]") at HERE
  the text is not a map in isl's notation: syntax error
  to fix it: write { t[i, j] -> [0, i, 0, j, 0] }
)");
}

TEST_CASE("E0106: maps of other computations and parameters", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.t.set_schedule("{ s[i, j] -> [0, i, 0, j, 0] }"); }) ==
        R"(error E0106 bad argument
  in set_schedule(t, "{ s[i, j] -> [0, i, 0, j, 0] }") at HERE
  { s[i, j] -> [o0, o1, o2, o3, o4] } does not schedule t
  to fix it: write { t[i, j] -> [..] }
)");
  CHECK(told(p.f, [&] { p.t.set_schedule("[Q] -> { t[i, j] -> [i + Q, j] }"); }) ==
        R"(error E0106 bad argument
  in set_schedule(t, "[Q] -> { t[i, j] -> [i + Q, j] }") at HERE
  the program has no parameter Q
  to fix it: declare it with param("Q") on this function
)");
}

TEST_CASE("E0109: another number of indices", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, p.in(p.i)); }) == R"(error E0109 wrong arity
  in computation(u) at HERE
  in takes 2 indices, not 1
  to fix it: give one index for each dimension
)");
  CHECK(told(p.f, [&] { p.t.update({p.i}, {p.i}, 1.0f); }) == R"(error E0109 wrong arity
  in update(t) at HERE
  t has 2 dimensions, not 1
  to fix it: give one index for each dimension
)");
  CHECK(told(p.f, [&] { p.s.store_in(p.in.buffer(), {p.i}); }) == R"(error E0109 wrong arity
  in store_in(s, in, i) at HERE
  in has 2 dimensions, not 1
  to fix it: give one index for each dimension of the buffer
)");
}

TEST_CASE("E0110: types that do not mix", "[error]") {
  Pair p;
  Input n = p.f.input("n", i32, {p.N});
  const auto value = [&](const Expr& e, const Where& here) {
    p.f.computation("u", {p.i}, e, here);
  };
  const Where here = Where::here();
  const auto said = [&](const Expr& e) { return told(p.f, [&] { value(e, here); }, here); };
  const std::string head = "error E0110 types do not mix\n  in computation(u) at HERE\n  ";
  CHECK(said(p.in(p.i, 0) + n(p.i)) ==
        head +
            "in[i, 0] is float32 and n[i] is int32, which do not mix; write cast(float32, n[i])\n");
  CHECK(said(select(n(p.i), 1, 0)) ==
        head + "the condition of select is a boolean, not int32; write .. != 0\n");
  CHECK(said(p.in(p.i, 0) & 3) ==
        head + "& takes an integer, not float32; write cast(int32, ..)\n");
  CHECK(said(sqrt(n(p.i))) ==
        head + "sqrt takes a float, not int32; write sqrt(cast(float32, ..))\n");
  CHECK(said(cast(u8, n(p.i)) + 300) ==
        head +
            "300 does not fit in uint8, the type of cast(uint8, n[i]); write "
            "cast(int32, cast(uint8, n[i]))\n");
  CHECK(said(-cast(boolean, n(p.i))) ==
        head + "- takes a number, not boolean; write cast(int32, ..)\n");
}

TEST_CASE("E0110: values and buffers of another type", "[error]") {
  Pair p;
  Computation d = p.f.declare("d", {p.i}, u8);
  CHECK(told(p.f, [&] { d.define(p.in(p.i, 0)); }) == R"(error E0110 types do not mix
  in define(d) at HERE
  d holds uint8 but its value is float32
  to fix it: write cast(uint8, ..)
)");
  // Numbers take the type of the computation that they define, if it can represent them.
  CHECK(told(p.f, [&] { d.define(300); }) == R"(error E0110 types do not mix
  in define(d) at HERE
  d holds uint8 but its value is int32
  to fix it: write cast(uint8, ..)
)");
  d.define(200);
  CHECK(told(p.f, [&] { d.update({p.i}, {p.i}, 1.5f); }) == R"(error E0110 types do not mix
  in update(d) at HERE
  d_1 holds uint8 but its value is float32
  to fix it: write cast(uint8, ..)
)");
  CHECK(told(p.f, [&] { d.store_in(p.in.buffer(), {p.i, 0}); }) == R"(error E0110 types do not mix
  in store_in(d, in, i, 0) at HERE
  in holds float32, not uint8
  to fix it: give a buffer of that type
)");
}

TEST_CASE("E0111: what is not affine", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.f.input("x", f32, {p.N * p.M}); }) == R"(error E0111 not affine
  in input(x) at HERE
  extent 0 of x is not an affine function of the parameters
  to fix it: use sums, products by constants, / and % by constants of parameters
)");
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i, Var("j", 0, p.k)}, 1.0f); }) ==
        R"(error E0111 not affine
  in computation(u) at HERE
  a bound of j is not an affine function of parameters and iterators before it
  to fix it: give the domain in isl's notation, or change the bound
)");
  CHECK(told(p.f, [&] { p.f.assume(p.N * p.M > 3); }) == R"(error E0111 not affine
  in assume at HERE
  the assumption is not an affine condition on the parameters
  to fix it: compare sums, products by constants and remainders by constants
)");
  CHECK(told(p.f, [&] { p.t.shift(p.i, p.i); }) == R"(error E0111 not affine
  in shift(t.i, i) at HERE
  the amount is not an affine function of the parameters
  to fix it: use integers, parameters, sums, and products and quotients by integers
)");
  CHECK(told(p.f, [&] { p.s.store_in({p.i * p.j}); }) == R"(error E0111 not affine
  in store_in(s, s, i * j) at HERE
  index 0 into s is not an affine function of the indices of s
  to fix it: use sums, products by constants, / and % by constants
)");
}

TEST_CASE("E0112: domains without an end", "[error]") {
  Pair p;
  const Var z("z");
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, sum(z, p.in(p.i, 0))); }) ==
        R"(error E0112 unbounded domain
  in computation(u) at HERE
  the reduced iterator z has no range
  to fix it: write Var z("z", lower, upper)
)");
  Computation q = p.f.computation("q", {z}, 1.0f);
  CHECK(told(p.f, [&] { q.update({p.i}, {p.i}, 2.0f); }) == R"(error E0112 unbounded domain
  in update(q) at HERE
  q has an inferred domain and cannot be updated
  to fix it: give its iterators ranges
)");
  CHECK(told(p.f, [&] { p.f.jit(p.arguments()); }) == R"(error E0112 unbounded domain
  in codegen(in, t) at HERE
  the domain of q cannot be inferred: it is never read
  to fix it: give its iterators ranges
)");
  p.f.computation("reader", {p.i}, q(p.i));
  p.f.computation("endless", Domain("{ endless[x] : x > 3 }"), 1.0f);
  CHECK(told(p.f, [&] { p.f.jit(p.arguments()); }) == R"(error E0112 unbounded domain
  in codegen(in, t) at HERE
  the domain of endless is not bounded by the parameters
  to fix it: give every iterator a lower and an upper bound
)");
}

TEST_CASE("E0117: reductions inside other values, and depth", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, 1.0f + sum(p.j, p.in(p.i, p.j))); }) ==
        R"(error E0117 unsupported expression
  in computation(u) at HERE
  a sum is nested in the value of u, but must be the whole value of a computation
  to fix it: make the sum a separate computation, and read that here
)");
  Computation d = p.f.declare("d", {p.i}, f32);
  CHECK(told(p.f, [&] { d.define(1.0f + maximum(p.j, sum(Var("k", 0, p.i), p.in(p.i, p.j)))); }) ==
        R"(error E0117 unsupported expression
  in define(d) at HERE
  a reduction is nested in a maximum in the value of d
  to fix it: make the inner one a separate computation, and read that here
)");
  Expr deep = p.in(0, 0);
  for (int n = 0; n < 2000; ++n) deep = deep + 1.0f;
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, deep); }) ==
        R"(error E0117 unsupported expression
  in computation(u) at HERE
  an expression is nested more than 1000 deep; write it as several computations, or a long sum as a sum of sums
)");
}

TEST_CASE("E0106: a computation whose loops depend on where it is computed", "[error]") {
  Pair p;
  p.s.compute_at(p.t, p.i);
  p.s.set_schedule("[N, M] -> { s[i, j] -> [0, r, 0, i, 0, j, 0] : i <= r <= i + 1 and r < N }");
  CHECK(told(p.f, [&] { p.s.compute_at(p.t, p.j); }) == R"(error E0106 bad argument
  in compute_at(s, t.j) at HERE
  the loops of s depend on the loops that it is computed in
  to fix it: use compute_at before the commands that change its loops together with those
)");
}

TEST_CASE("E0106: a neighbour that is computed in the loops of what moves", "[error]") {
  Pair p;
  p.s.compute_at(p.t, p.i);
  CHECK(told(p.f, [&] { p.t.after(p.s, root); }) == R"(error E0106 bad argument
  in after(t, s) at HERE
  s is computed inside the loops of t
  to fix it: name another computation, or compute s elsewhere first
)");
}

TEST_CASE("E0107: a reader of a computation that moves along stays outside", "[error]") {
  Grid g;
  Computation s = g.copy("s");
  Computation t = g.f.computation("t", {g.i, g.j}, s(g.i, g.j) + 1.0f);
  Computation u = g.f.computation("u", {g.i, g.j}, t(g.i, g.j) + 1.0f);
  Computation v = g.f.computation("v", {g.i, g.j}, s(g.i, g.j) + 2.0f);
  s.compute_at({{t, g.i}, {v, g.i}});
  CHECK(told(g.f, [&] { t.compute_at(u, g.i); }) == R"(error E0107 wrong owners
  in compute_at(t, u.i) at HERE
  v also reads s, outside the loop named
  to fix it: name a loop of v as well, or bring it into loop i2 with fuse or after
)");
}

TEST_CASE("E0106: no loop to be computed at, and no kernel to be called", "[error]") {
  Pair p;
  const std::vector<std::pair<Computation, Var>> nowhere;
  CHECK(told(p.f, [&] { p.s.compute_at(nowhere); }) == R"(error E0106 bad argument
  in compute_at(s) at HERE
  no loop is named
  to fix it: name a loop of a computation that reads s
)");
  CHECK(told(p.f, [&] { JitFunction()({}, {}); }) == R"(error E0106 bad argument
  in a call of a JitFunction at HERE
  this JitFunction has no kernel
  to fix it: make it with jit()
)");
}

TEST_CASE("E0101: parameters in amounts and places", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.shift(p.i, Param("K")); }) == R"(error E0101 unknown computation
  in shift(s.i, K) at HERE
  the amount uses K, which is not a parameter of this function
  to fix it: declare it with param("K") on this function
)");
  CHECK(told(p.f, [&] { p.s.store_in({p.i + Param("a b"), p.j}); }) ==
        R"(error E0101 unknown computation
  in store_in(s, s, i + `a b`, j) at HERE
  index 0 into s uses a b, which is not a parameter of this function
  to fix it: declare it with param("a b") on this function
)");
}

}  // namespace strata::test::arguments_test
