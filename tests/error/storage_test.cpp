// E03xx: values that share places.
#include <strata/strata.h>

#include "tests/error/told.h"

namespace strata::test::storage_test {

TEST_CASE("E0301: a value that is overwritten before it is read", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.store_in({p.i % 2, p.j}); }) == R"(error E0301 value overwritten
  in store_in(s, s, i % 2, j) at HERE
  a value in s would be overwritten before it is read
  for example, with N = 3, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] computes the value that
    t[0, 0] at [1, 0, 0, 0, 0] reads, but
    s[2, 0] at [0, 2, 0, 0, 0] overwrites it in between
    at element: s[0, 0]
  to fix it: give each value its own element, or move the readers closer
)");
}

TEST_CASE("E0301: a definition after commands, of values that these no longer keep", "[error]") {
  Pair p;
  p.t.after(p.s, p.i);
  p.s.store_in({0, p.j});
  CHECK(told(p.f, [&] { p.f.computation("late", {p.i, p.j}, p.s(p.i, p.j)); }) ==
        R"(error E0301 value overwritten
  in computation(late) at HERE
  a value in s would be overwritten before it is read
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] computes the value that
    late[0, 0] at [1, 0, 0, 0, 0] reads, but
    s[1, 0] at [0, 1, 0, 0, 0] overwrites it in between
    at element: s[0, 0]
  to fix it: give each value its own element, or move the readers closer
)");
  CHECK_NOTHROW(p.f.computation("other", {p.i, p.j}, p.t(p.i, p.j)));
  CHECK(p.f.history().size() == 2);
}

TEST_CASE("E0301: updates, and commands that keep what they overwrite", "[error]") {
  Grid g;
  Var next("next", 0, g.N - 1);
  Computation u = g.f.computation("u", {g.i}, cast(i32, g.i));
  Computation old = g.f.computation("old", {g.i}, u(g.i) * 2);
  Computation v = u.update({next}, {next}, u(next + 1));
  Computation both = g.f.computation("both", {g.i}, u(g.i) + old(g.i));
  u.store_in({g.i});
  CHECK(told(g.f, [&] { old.after(v, root); }) == R"(error E0301 value overwritten
  in after(old, u_1) at HERE
  a value in u would be overwritten before it is read
  for example, with N = 2:
    u[0] at [0, 0, 0] computes the value that
    old[0] at [2, 0, 0] reads, but
    u_1[0] at [1, 0, 0] overwrites it in between
    at element: u[0]
  to fix it: run it before the update: old.before(u_1); or let old read a copy of u: a computation defined before u_1
)");
  CHECK(told(g.f, [&] { v.reverse(next); }) == R"(error E0301 value overwritten
  in reverse(u_1.next) at HERE
  a value in u would be overwritten before it is read
  for example, with N = 3:
    u[1] at [0, 1, 0] computes the value that
    u_1[0] at [2, 0, 0] reads, but
    u_1[1] at [2, -1, 0] overwrites it in between
    at element: u[1]
  to fix it: keep the loops in the order in which u_1 redefines u, or store the new values in another array: write a computation in place of the update
)");
  old.before(v);
}

TEST_CASE("E0301: an input that is overwritten before it is read", "[error]") {
  Pair p;
  p.s.store_in(p.in.buffer(), {p.i, p.j});
  Grid g;
  Computation late = g.copy("late");
  Computation early = g.f.computation("early", {g.i, g.j}, late(g.N - 1 - g.i, g.j));
  CHECK(told(g.f, [&] { late.store_in(g.in.buffer(), {g.N - 1 - g.i, g.j}); }) ==
        R"(error E0301 value overwritten
  in store_in(late, in, N - 1 - i, j) at HERE
  a value in in would be overwritten before it is read
  for example, with N = 2, M = 1:
    in[1, 0] is an input value that
    late[1, 0] at [0, 1, 0, 0, 0] reads, but
    late[0, 0] at [0, 0, 0, 0, 0] overwrites it in between
    at element: in[1, 0]
  to fix it: give each value its own element, or move the readers closer
)");
}

TEST_CASE("E0301: a command breaks a promise made with store_in", "[error]") {
  Pair p;
  p.t.after(p.s, p.i);
  p.s.store_in({p.j});
  CHECK(told(p.f, [&] { p.t.after(p.s, root); }) == R"(error E0301 value overwritten
  in after(t, s) at HERE
  a value in s would be overwritten before it is read
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] computes the value that
    t[0, 0] at [1, 0, 0, 0, 0] reads, but
    s[1, 0] at [0, 1, 0, 0, 0] overwrites it in between
    at element: s[0]
  to fix it: give each value its own element, or move the readers closer
)");
}

TEST_CASE("E0302: a store outside of the input it goes over", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.store_in(p.in.buffer(), {p.i, p.j + 1}); }) ==
        R"(error E0302 access out of bounds
  in store_in(s, in, i, j + 1) at HERE
  s would be stored outside in
  for example, with N = 1, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] writes outside the extents of the input
    at element: in[0, 1]
  to fix it: change store_in, or the extents of the input
)");
}

TEST_CASE("E0303: iterations that write one element at the same time", "[error]") {
  Grid g;
  Computation s = g.copy("s");
  s.store_in({g.j});
  CHECK(told(g.f, [&] { s.parallelize(g.i); }) == R"(error E0303 race
  in parallelize(s.i) at HERE
  iterations that run at the same time would access the same element of s
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] writes it, and at the same time
    s[1, 0] at [0, 1, 0, 0, 0] writes it
    at element: s[0]
  to fix it: keep the loop sequential, or give each iteration its own elements
)");
}

TEST_CASE("E0304: an output that ends with another value", "[error]") {
  Pair p;
  Computation u = p.f.computation("u", {p.i, p.j}, p.in(p.i, p.j) * 2.0f);
  p.t.store_in(Buffer("both"));
  u.store_in(Buffer("both"));
  u.before(p.t, root);
  CHECK(told(p.f, [&] { p.f.jit({p.in.buffer(), Buffer("both")}); }) ==
        R"(error E0304 output not last
  in codegen(in, both) at HERE
  an element of both would not hold the value defined last at the end
  for example, with N = 1, M = 1:
    u[0, 0] at [1, 0, 0, 0, 0] is the value it should keep, but
    t[0, 0] at [2, 0, 0, 0, 0] is not written before it
    at element: both[0, 0]
  to fix it: keep the order of definition for the values that share an element
)");
}

TEST_CASE("E0305: lanes that write one element", "[error]") {
  Grid g;
  Computation s = g.copy("s");
  s.store_in({g.j});
  CHECK(told(g.f, [&] { s.vectorize(g.i, 4); }) == R"(error E0305 lanes collide
  in vectorize(s.i, 4) at HERE
  two lanes of one vector instruction would write the same element of s
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0, 0, 0] and
    s[1, 0] at [0, 0, 0, 1, 0, 0, 0] both write it
    at element: s[0]
  to fix it: vectorize a loop whose iterations write different elements
)");
}

TEST_CASE("E0307: a reader outside of the loop that allocates the buffer", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.allocate_at(p.s, p.i); }) == R"(error E0307 out of scope
  in allocate_at(s, s.i) at HERE
  a value in s would be read outside of the iteration that the buffer is allocated for
  for example, with N = 1, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] computes the value that
    t[0, 0] at [1, 0, 0, 0, 0] reads from another iteration's buffer
  to fix it: allocate the buffer at a loop around both, or compute the value inside with compute_at
)");
  p.t.after(p.s, p.i);
  p.s.allocate_at(p.s, p.i);
  CHECK(told(p.f, [&] { p.t.after(p.s, root); }).find("error E0307 out of scope") == 0);
}

TEST_CASE("E0307: a reader in another iteration of the loop that allocates the buffer", "[error]") {
  Grid g;
  Var later("later", 1, g.N);
  Computation s = g.copy("s");
  Computation u = g.f.computation("u", {later, g.j}, s(later - 1, g.j));
  u.after(s, g.i);
  CHECK(told(g.f, [&] { s.allocate_at(u, g.i); }) == R"(error E0307 out of scope
  in allocate_at(s, u.i) at HERE
  a value in s would be read outside of the iteration that the buffer is allocated for
  for example, with N = 2, M = 1, in the iteration i = 1:
    s[0, 0] computes the value that
    u[1, 0] at [0, 1, 1, 0, 0] reads from another iteration's buffer
  to fix it: allocate the buffer at a loop around both, or compute the value inside with compute_at
)");
}

TEST_CASE("E0302: a value outside of the extents given", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.set_size({p.N, p.M - 1}); }) == R"(error E0302 access out of bounds
  in set_size(s, N, M - 1) at HERE
  s would be stored outside s
  for example, with N = 1, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] writes outside the extents of the buffer
    at element: s[0, 0]
  to fix it: change store_in, or the extents
)");
}

TEST_CASE("E0301: a modulus that is too small, and the smallest that is not", "[error]") {
  Grid g;
  Var rows("rows", 0, g.N - 2);
  Computation s = g.copy("s");
  Computation t = g.f.computation("t", {rows, g.j}, s(rows, g.j) + s(rows + 2, g.j));
  s.compute_at(t, rows).store_at(root);
  CHECK(told(g.f, [&] { s.store_in({g.i % 2, g.j}); }) == R"(error E0301 value overwritten
  in store_in(s, s, i % 2, j) at HERE
  a value in s would be overwritten before it is read
  for example, with N = 3, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0, 0, 0] computes the value that
    t[0, 0] at [0, 0, 1, 0, 0, 0, 0] reads, but
    s[2, 0] at [0, 0, 0, 2, 0, 0, 0] overwrites it in between
    at element: s[0, 0]
  to fix it: store it at i % 3, the smallest modulus that stores all live values in different elements
)");
}

TEST_CASE("E0308: extents that an iteration does not fit into", "[error]") {
  Grid g;
  Computation s = g.copy("s");
  Computation t = g.f.computation("t", {g.i, g.j}, s(g.i, g.j) + 1.0f);
  t.split(g.j, 16, Var("j0"), Var("j1"));
  s.compute_at(t, Var("j0")).set_size({1, 12});
  const std::vector<Buffer> arguments{g.in.buffer(), t.buffer()};
  CHECK(told(g.f, [&] { g.f.loops(arguments); }) == R"(error E0308 size does not fit
  in codegen(f) at HERE
  extent 1 of s is 12, but an iteration accesses 16 elements there
  to fix it: give it at least that many with set_size
)");
  s.set_size({1, g.N});
  CHECK(told(g.f, [&] { g.f.loops(arguments); }) == R"(error E0308 size does not fit
  in codegen(f) at HERE
  extent 1 of s is N, but the buffer is allocated in each iteration, so its extents must be constant
  to fix it: leave out set_size: the buffer is then as large as each iteration needs
)");
}

TEST_CASE("E0308: a buffer on the stack without a constant size", "[error]") {
  Pair p;
  p.s.set_memory(Memory::stack);
  CHECK(told(p.f, [&] { p.f.loops(p.arguments()); }) == R"(error E0308 size does not fit
  in codegen(f) at HERE
  s is on the stack, where sizes are constant, but how many elements it has along index 0 depends on N
  to fix it: give it constant extents with set_size, or leave it in the heap
)");
}

TEST_CASE("E0106: an argument has the memory of the caller", "[error]") {
  Pair p;
  p.t.set_memory(Memory::heap);
  CHECK(told(p.f, [&] { p.f.loops(p.arguments()); }) == R"(error E0106 bad argument
  in codegen(in, t) at HERE
  t is an argument, but was put in the heap
  to fix it: leave it out of the arguments, or leave out set_memory
)");
}

// The witness gives N only: its times do not depend on M.
TEST_CASE("E0301: a witness in a program with further parameters", "[error]") {
  Grid g;
  g.copy("s");
  const Input at = g.f.input("at", i32, {g.N});
  Computation h = g.f.computation("h", {g.i}, 0);
  h.update({g.i}, {clamp(at(g.i), 0, g.N - 1)}, 1);
  CHECK(told(g.f, [&] { h.store_in(at.buffer()); }) == R"(error E0301 value overwritten
  in store_in(h, at, i) at HERE
  a value in at would be overwritten before it is read
  for example, with N = 1:
    at[0] is an input value that
    h_1[0] at [2, 0, 0, 0, 0] reads, but
    h[0] at [1, 0, 0, 0, 0] overwrites it in between
    at element: at[0]
  to fix it: give each value its own element, or move the readers closer
)");
}

}  // namespace strata::test::storage_test
