// Data-dependent indices, conditions, ranges and sizes.
#include <strata/strata.h>

#include "tests/error/told.h"

namespace strata::test::data_test {

namespace {

struct Data : Grid {
  Input at = f.input("at", i32, {N}), rows = f.input("rows", i32, {N + 1});
};

}  // namespace

TEST_CASE("E0113: elements that an index from data may name", "[error]") {
  Data p;
  Computation t = p.f.computation("t", {p.i, Var("j", 0, p.i + 1)}, 1.0f);
  CHECK(told(p.f, [&] { p.f.computation("u", {p.k}, t(p.at(p.k), p.k)); }) ==
        R"(error E0113 read outside domain
  in computation(u) at HERE
  u reads a value of t that is not defined (an index is not affine: every element that it may address counts as read)
  for example, with N = 2:
    u[1] reads
    t[0, 1], which is outside t
  to fix it: clamp the index, change the domains, or read it under a select
)");
  CHECK(told(p.f, [&] { p.f.computation("u", {p.k}, p.in(p.at(p.k), p.M)); }) ==
        R"(error E0113 read outside domain
  in computation(u) at HERE
  u reads outside in (an index is not affine: every element that it may address counts as read)
  for example, with N = 1, M = 1:
    u[0] reads
    in[0, 1], which is outside in
  to fix it: change the index, the domain of u or the extents of in
)");
}

TEST_CASE("E0112: ranges that data leaves open", "[error]") {
  Data p;
  const Var r("r", p.rows(p.i), p.rows(p.i + 1)), z("z");
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, sum(r, p.in(p.i, 0))); }) ==
        R"(error E0112 unbounded domain
  in computation(u) at HERE
  the range of r depends on data, and no read at an affine index bounds it
  to fix it: give r affine bounds, and put the rest into where(..)
)");
  Computation any = p.f.computation("any", {z}, 1.0f);
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i}, any(p.i * p.i)); }) ==
        R"(error E0112 unbounded domain
  in computation(u) at HERE
  u reads any at an index that is not affine, and the range of dimension 0 is inferred from it
  to fix it: give the iterators of any ranges, or clamp the index
)");
}

TEST_CASE("E0106, E0110: conditions that cannot be", "[error]") {
  Data p;
  Computation s = p.copy("s"), t = p.copy("t");
  CHECK(told(p.f, [&] { s.where(p.in(p.i, p.j) > 0.0f); }) == R"(error E0106 bad argument
  in where(s) at HERE
  s would have no value where the condition, which is not affine, is false
  to fix it: define s everywhere and update it where the condition holds, or write a select
)");
  CHECK(told(p.f, [&] { s.where(p.i + 1); }) == R"(error E0110 types do not mix
  in where(s) at HERE
  the condition is int64, not boolean
  to fix it: write a comparison
)");
  t.interchange(p.i, p.j);
  CHECK(told(p.f, [&] { s.where(p.i > 0); }) == R"(error E0106 bad argument
  in where(s) at HERE
  a command was given before the condition of s
  to fix it: give the condition of a computation before the first command
)");
}

TEST_CASE("E0117: a reduction goes to no element from data", "[error]") {
  Data p;
  Computation s = p.f.computation("s", {p.i}, constant(i32, 0));
  CHECK(told(p.f, [&] { s.update({p.i}, {p.at(p.i)}, sum(p.k, p.at(p.k))); }) ==
        R"(error E0117 unsupported expression
  in update(s) at HERE
  a reduction cannot be stored at an element whose indices are not affine
  to fix it: make the reduction a separate computation, and read it here
)");
}

TEST_CASE("E0202: a scatter keeps its order", "[error]") {
  Data p;
  Computation s = p.f.computation("s", {p.i}, constant(i32, 0));
  Computation add = s.update({p.k}, {p.at(p.k)}, s(p.at(p.k)) + 1);
  CHECK(told(p.f, [&] { add.parallelize(p.k); }) == R"(error E0202 dependence carried
  in parallelize(s_1.k) at HERE
  iterations of k need values that other iterations compute (an access or a condition is not affine: everything that may happen is assumed to happen)
  for example, with N = 2:
    s_1[0] at [1, 0, 0] computes the value that
    s_1[1] at [1, 1, 0] uses
  to fix it: let each block of iterations update its own row, s_part(block, ..), and combine the rows with a reduction over the blocks, as examples/histogram does; or use s_1.atomic() first
)");
}

TEST_CASE("E0101, E0106, E0109, E0111, E0113: sizes that cannot be read", "[error]") {
  Data p;
  CHECK(told(p.f, [&] { p.f.param("n", p.in(0, 0)); }) == R"(error E0106 bad argument
  in param(n) at HERE
  n is not an element of an integer input
  to fix it: write param("n", in(0)), where in is an input of this function
)");
  CHECK(told(p.f, [&] { p.f.param("n", p.at(0, 0)); }) == R"(error E0109 wrong arity
  in param(n) at HERE
  at takes 1 index, not 2
  to fix it: give one index for each dimension
)");
  CHECK(told(p.f, [&] { p.f.param("n", p.at(p.N * p.M)); }) == R"(error E0111 not affine
  in param(n) at HERE
  index 0 of at is not an affine function of the parameters
  to fix it: use sums, products by constants, / and % by constants of parameters
)");
  CHECK(told(p.f, [&] { p.f.param("n", p.at(0)); }) == R"(error E0113 read outside domain
  in param(n) at HERE
  n is read from an element that may be outside at
  to fix it: change the index or the extents of at, or assume that the index is inside
)");
  CHECK(told(p.f, [&] { p.f.param("n", p.at(Param("K"))); }) == R"(error E0101 unknown computation
  in param(n) at HERE
  the element uses K, which is not a parameter of this function
  to fix it: declare it with param("K") on this function
)");
}

// The elements that an update may keep exist under the assumptions, but not without them.
TEST_CASE("E0113: elements that an update may keep", "[error]") {
  const auto where = [](Data& p) {
    Computation e = p.copy("e"), u = e.update({p.i}, {p.i, 0 * p.i}, 1.0f);
    u.where(p.at(p.i) > 3);
  };
  Data open, assumed;
  assumed.f.assume(assumed.M > 0);
  where(assumed);
  CHECK_THROWS_AS(where(open), Error);
}

}  // namespace strata::test::data_test
