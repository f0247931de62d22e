// E0101 to E0105, E0107: wrong names.
#include <strata/strata.h>

#include "driver/back_end.h"
#include "tests/error/told.h"

namespace strata::test::names_test {

TEST_CASE("E0101: reads, iterators and parameters that the function does not have", "[error]") {
  Grid g;
  Function& f = g.f;
  Function other("other");
  Param K = other.param("K");
  Computation far = other.computation("far", {Var("x", 0, K)}, 1.0f);
  CHECK(told(f, [&] { f.computation("t", {g.i}, far(g.i)); }) ==
        R"(error E0101 unknown computation
  in computation(t) at HERE
  t reads far, which is neither an input nor a computation of this function
  to fix it: define it on this function, before its readers
)");
  CHECK(told(f, [&] { f.computation("t", {g.i}, cast(f32, g.j)); }) ==
        R"(error E0101 unknown computation
  in computation(t) at HERE
  t uses j, which is neither one of its iterators nor a parameter of this function
  to fix it: give it an iterator of that name, or declare the parameter with param("j") on this function
)");
  CHECK(told(f, [&] { f.computation("t", {Var("x", 0, K)}, 1.0f); }) ==
        R"(error E0101 unknown computation
  in computation(t) at HERE
  the upper bound of x uses K, which is not a parameter of this function
  to fix it: declare it with param("K") on this function
)");
  CHECK(told(f, [&] { f.computation("t", Domain("[K] -> { t[x] : 0 <= x < K }"), 1.0f); }) ==
        R"(error E0101 unknown computation
  in computation(t) at HERE
  the domain uses K, which is not a parameter of this function
  to fix it: declare it with param("K") on this function
)");
  CHECK(told(f, [&] { f.input("x", f32, {g.N, K}); }) == R"(error E0101 unknown computation
  in input(x) at HERE
  extent 1 of x uses K, which is not a parameter of this function
  to fix it: declare it with param("K") on this function
)");
  CHECK(told(f, [&] { f.assume(K > 0); }) == R"(error E0101 unknown computation
  in assume at HERE
  the assumption uses K, which is not a parameter of this function
  to fix it: declare it with param("K") on this function
)");
}

TEST_CASE("a text names a loop, as a Var does", "[error]") {
  Pair a, b;
  a.t.tile("i", "j", 8, 4, "i0", "j0", "i1", "j1").parallelize("i0").vectorize("j1");
  a.s.compute_at(a.t, "j0").unroll("i", 2);
  b.t.tile(b.i, b.j, 8, 4, Var("i0"), Var("j0"), Var("i1"), Var("j1"))
      .parallelize(Var("i0"))
      .vectorize(Var("j1"));
  b.s.compute_at(b.t, Var("j0")).unroll(b.i, 2);
  CHECK(a.f.text() == b.f.text());
  CHECK(told(a.f, [&] { a.t.unroll("q"); }) == R"(error E0102 unknown loop
  in unroll(t.q) at HERE
  t has no loop q; it has i0, j0, i1, j1
)");
}

TEST_CASE("E0101: computations that are not there, or no longer", "[error]") {
  Pair p;
  p.s.set_inline();
  CHECK(told(p.f, [&] { p.s.split(p.i, 4); }) == R"(error E0101 unknown computation
  in split(s.i, 4) at HERE
  the program has no computation s; it has t
)");
  CHECK(told(p.f, [&] { p.s.update({p.i}, {p.i, 0}, 1.0f); }) == R"(error E0101 unknown computation
  in update(s) at HERE
  there is no computation s to update
  to fix it: update a computation of this function
)");
}

TEST_CASE("E0102: a loop that is not there", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.interchange(p.i, p.k); }) == R"(error E0102 unknown loop
  in interchange(s.i, s.k) at HERE
  s has no loop k; it has i, j
)");
  CHECK(told(p.f, [&] { p.t.after(p.s, p.k); }) == R"(error E0102 unknown loop
  in after(t, s, k) at HERE
  s has no loop k; it has i, j
)");
}

TEST_CASE("E0103: a name that means two loops", "[error]") {
  Pair p;
  p.s.set_schedule(
      "[N, M] -> { s[i, j] -> [0, i, 0, j, 0] : i < 3; s[i, j] -> [0, i, 1, j, 0] : i >= 3 }");
  CHECK(told(p.f, [&] { p.s.split(p.j, 4); }) == R"(error E0103 ambiguous loop
  in split(s.j, 4) at HERE
  s.j names 2 different loops: s.p1.j, s.p2.j
  to fix it: name one of them
)");
  CHECK(told(p.f, [&] { p.t.after(p.s, p.i); }) == R"(error E0103 ambiguous loop
  in after(t, s, i) at HERE
  s is scheduled in 2 places: s.p1, s.p2
  to fix it: name one of these pieces
)");
  CHECK(told(p.f, [&] { p.s.compute_at(p.t, p.i); }) == R"(error E0103 ambiguous loop
  in compute_at(s, t.i) at HERE
  s is scheduled in 2 places: s.p1, s.p2
  to fix it: give it one place with set_schedule
)");
  p.s.piece("p2").split(p.j, 4);
  p.t.after(p.s.piece("p2"), p.i);
}

TEST_CASE("E0101: a piece that is not there, and a command that takes none", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.piece("head").split(p.j, 4); }) == R"(error E0101 unknown computation
  in split(s.head.j, 4) at HERE
  s has no piece head; it is scheduled in one place
)");
  p.s.peel(p.i, 2);
  CHECK(told(p.f, [&] { p.t.after(p.s.piece("tail")); }) == R"(error E0101 unknown computation
  in after(t, s.tail) at HERE
  s has no piece tail; it has s.head, s.rest
)");
  CHECK(told(p.f, [&] { p.s.piece("head").compute_at(root); }) == R"(error E0106 bad argument
  in compute_at(s.head, root) at HERE
  s.head is a piece, and compute_at takes a whole computation
  to fix it: give it before the computation has pieces, or one place with set_schedule first
)");
}

TEST_CASE("E0104: a name that is taken", "[error]") {
  Pair p;
  Function& f = p.f;
  CHECK(told(f, [&] { f.param("in"); }) == R"(error E0104 name taken
  in param(in) at HERE
  the name in is taken
  to fix it: choose another name
)");
  CHECK(told(f, [&] { f.computation("s", {p.i}, 1.0f); }) == R"(error E0104 name taken
  in computation(s) at HERE
  the name s is taken
  to fix it: choose another name
)");
  CHECK(told(f, [&] { f.computation("u", {p.i, p.i}, 1.0f); }) == R"(error E0104 name taken
  in computation(u) at HERE
  two iterators are called i
  to fix it: give each iterator a different name
)");
  CHECK(told(f, [&] { f.computation("u", {Var("N", 0, 4)}, 1.0f); }) == R"(error E0104 name taken
  in computation(u) at HERE
  N is a parameter and cannot be an iterator too
  to fix it: choose another name
)");
  CHECK(told(f, [&] { p.s.split(p.i, 4, p.j, p.k); }) == R"(error E0104 name taken
  in split(s.i, 4, j, k) at HERE
  another loop around the same computation is named j
  to fix it: choose another name
)");
  CHECK(told(f, [&] { p.s.split(p.i, 4, p.k, p.k); }) == R"(error E0104 name taken
  in split(s.i, 4, k, k) at HERE
  two of the new loops are named k
  to fix it: give each loop a different name
)");
  Computation d = f.declare("d", {p.i}, f32);
  d.define(1.0f);
  CHECK(told(f, [&] { d.define(2.0f); }) == R"(error E0104 name taken
  in define(d) at HERE
  d has a value already
  to fix it: use update to redefine its elements
)");
}

TEST_CASE("E0104: a buffer that has the name of a computation without a place", "[error]") {
  Pair p;
  p.t.store_in(Buffer("s"));
  CHECK(told(p.f, [&] { p.f.jit({p.in.buffer(), Buffer("s")}); }) == R"(error E0104 name taken
  in codegen(in, s) at HERE
  there is a buffer called s, so the computation cannot get a buffer of that name
  to fix it: choose a buffer for the computation with store_in
)");
}

TEST_CASE("E0105: names that are not identifiers", "[error]") {
  Pair p;
  Function& f = p.f;
  CHECK(told(f, [&] { f.param("1st"); }) == R"(error E0105 bad name
  in param(1st) at HERE
  "1st" cannot be a name here
  to fix it: use letters, digits and _, not starting with a digit, and no keyword of C or isl
)");
  CHECK(told(f, [&] { Function("two words"); }) == R"(error E0105 bad name
  in Function("two words") at HERE
  "two words" cannot name a function
  to fix it: use letters, digits and _, and no keyword
)");
  CHECK(told(f, [&] { f.computation("u", {Var("for", 0, 4)}, 1.0f); }) == R"(error E0105 bad name
  in computation(u) at HERE
  "for" cannot name an iterator
  to fix it: use letters, digits and _, not starting with a digit, and no keyword of C or isl
)");
  CHECK(told(f, [&] { p.s.split(p.i, 4, Var("if"), p.k); }) == R"(error E0105 bad name
  in split(s.i, 4, if, k) at HERE
  "if" cannot name a loop
  to fix it: use letters, digits and _, not starting with a digit, and no keyword of C or isl
)");
  CHECK(told(f, [&] { p.s.store_in(Buffer("a-b"), {p.i, p.j}); }) == R"(error E0105 bad name
  in store_in(s, a-b, i, j) at HERE
  "a-b" cannot name a buffer
  to fix it: use letters, digits and _, not starting with a digit, and no keyword of C or isl
)");
}

TEST_CASE("E0105: functions named as those of the runtime", "[error]") {
  Function f("halide_error");
  Computation s = f.computation("s", {Var("i", 0, 4)}, 1.0f);
  CHECK(told(f, [&] { f.jit({s.buffer()}); }) == R"(error E0105 bad name
  in codegen(halide_error) at HERE
  the function halide_error has a name of the runtime
  to fix it: choose a name that does not begin with halide_
)");
}

TEST_CASE("E0105: functions named as those of the library of C", "[error]") {
  for (const std::string name :
       {"free", "memcpy", "exp", "powf", "cabsl", "towupper", "dlsym", "main"})
    for (const BackEnd& back_end : back_ends()) {
      CAPTURE(name, back_end.name);
      Function f(name);
      Computation s = f.computation("s", {Var("i", 0, 4)}, 1.0f);
      CodegenOptions options;
      options.backend = back_end.name;
      CHECK(told(f, [&] { f.jit({s.buffer()}, options); }) ==
            "error E0105 bad name\n  in codegen(" + name + ") at HERE\n  the function " + name +
                " has a name of the library of C\n  to fix it: choose another name, for example " +
                name + "_kernel\n");
    }
}

TEST_CASE("functions may be named nearly as those of the library of C", "[error]") {
  for (const std::string name : {"freed", "expl_", "absf", "acosff", "f", "l"}) {
    CAPTURE(name);
    Function f(name);
    Computation s = f.computation("s", {Var("i", 0, 4)}, 1.0f);
    CHECK_NOTHROW(f.to_c({s.buffer()}));
  }
}

TEST_CASE("E0105: arguments named as types of the header", "[error]") {
  Function f("f");
  Computation s = f.computation("s", {Var("i", 0, 4)}, f.scalar("uint16_t", f32));
  CHECK(told(f, [&] { f.jit({s.buffer()}); }) == R"(error E0105 bad name
  in codegen(f) at HERE
  'uint16_t', a scalar of f, is not a valid name in C and C++
  to fix it: use letters, digits and underscores, but no keyword of these languages
)");
}

TEST_CASE("E0107: loops that different computations own", "[error]") {
  Pair p;
  p.t.after(p.s, p.i);
  CHECK(told(p.f, [&] { p.s.tile(p.i, p.j, 4, 4); }) == R"(error E0107 wrong owners
  in tile(s.i, s.j, 4, 4) at HERE
  loop i also contains t, which is outside loop j
  to fix it: distribute_loop(t.i), or fuse t into loop j
)");
  p.t.distribute_loop(p.i).interchange(p.i, p.j);
}

TEST_CASE("E0101: handles of another function", "[error]") {
  Pair p, far;
  far.t.after(far.s, far.i);
  CHECK(told(p.f, [&] { p.t.after(far.s, p.i); }) == R"(error E0101 unknown computation
  in a command on t at HERE
  s is a computation of another function, f
  to fix it: name a computation of f
)");
  const char* const refused = "error E0101 unknown computation\n  in a command on s at HERE\n";
  const auto is_refused = [&](const std::string& text) { return text.rfind(refused, 0) == 0; };
  CHECK(is_refused(told(p.f, [&] { p.s.before(far.t); })));
  CHECK(is_refused(told(p.f, [&] { p.s.then(far.t, p.i); })));
  CHECK(is_refused(told(p.f, [&] { p.s.between(p.s, p.i, far.t, p.i); })));
  CHECK(is_refused(told(p.f, [&] { p.s.fuse(p.i, far.t, p.i); })));
  CHECK(is_refused(told(p.f, [&] { p.s.compute_at(far.t, p.i); })));
  CHECK(is_refused(told(p.f, [&] { p.s.store_at(far.t, p.i); })));
  CHECK(is_refused(told(p.f, [&] { p.s.allocate_at(far.t, p.i); })));
  CHECK(is_refused(told(p.f, [&] { p.s.prefetch(p.i, far.t, 1); })));
  CHECK(is_refused(told(p.f, [&] { p.s.cache_at(p.i, far.s, "c", {p.j}); })));
  CHECK(is_refused(told(p.f, [&] { p.s.compute_at({{p.t, p.i}, {far.t, p.i}}); })));
}

TEST_CASE("E0101: scalars of a computation that is gone", "[error]") {
  Pair p;
  p.s.set_inline();
  CHECK(told(p.f, [&] { p.s.component(1); }) == R"(error E0101 unknown computation
  in component(s, 1) at HERE
  the program has no computation s any more
)");
}

TEST_CASE("E0105: iterators that isl cannot read, and words of isl, C and C++", "[error]") {
  Grid g;
  CHECK(told(g.f, [&] { g.f.computation("t", {g.i, Var("1x", 0, g.N)}, 1.0f); }) ==
        R"(error E0105 bad name
  in computation(t) at HERE
  "1x" cannot name an iterator
  to fix it: use letters, digits and _, not starting with a digit, and no keyword of C or isl
)");
  for (const char* const word : {"exists", "MOD", "NaN", "ceild", "new", "switch", "NULL"}) {
    CAPTURE(word);
    CHECK(told(g.f, [&] { g.f.param(word); }).rfind("error E0105 bad name\n", 0) == 0);
  }
}

TEST_CASE("E0104: an input that has the name of a buffer", "[error]") {
  Pair p;
  p.s.store_in(Buffer("b"));
  CHECK(told(p.f, [&] { p.f.input("b", f32, {p.N}); }) == R"(error E0104 name taken
  in input(b) at HERE
  there is a buffer called b
  to fix it: choose another name
)");
}

}  // namespace strata::test::names_test
