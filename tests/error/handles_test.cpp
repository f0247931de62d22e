// E0101, E0110, E0115: handles of another function, even if this one has something of that name,
// and reads with a type other than the array's.
#include <strata/buffer.h>
#include <strata/strata.h>

#include "tests/error/told.h"

namespace strata::test::handles_test {

namespace {

// A function with the same names, ranks and loops as "f" of Grid; its inputs have other types.
struct Foreign {
  Function g{"g"};
  Param N = g.param("N"), M = g.param("M");
  Var i{"i", 0, N}, j{"j", 0, M};
  Input in = g.input("in", f64, {N, M}), at = g.input("at", i64, {N});
  Computation s = g.computation("s", {i, j}, in(i, j)), r = g.computation("r", {i}, at(i));
  Computation later = g.computation("later", {i}, r(i) + 1);
};

struct Both : Grid {
  Input at = f.input("at", i32, {N});
  Computation s = copy("s");
  Foreign g;
  Expr far = g.in(i, j), near = in(i, j);

  // The refusal of "act". The call must be on one line.
  template <typename Act>
  std::string operator()(Act act, const Where& where = Where::here()) {
    return told(f, act, where);
  }
};

// The first line of a refusal and the third, which gives the reason.
std::string in_short(const std::string& text) {
  const auto second = text.find('\n'), third = text.find('\n', second + 1);
  if (second == std::string::npos || third == std::string::npos) return text;
  return text.substr(6, 5) + text.substr(third + 2, text.find('\n', third + 1) - third - 2);
}

}  // namespace

TEST_CASE("E0101: a handle of another function does not read this function's array", "[error]") {
  Both b;
  CHECK(b([&] { b.f.computation("out", {b.i, b.j}, b.far); }) == R"(error E0101 unknown computation
  in computation(out) at HERE
  out reads in by a handle of another function, g
  to fix it: use the handle in that this function gave
)");
  CHECK(b([&] { b.f.computation("out", {b.i, b.j}, access("in", f64, {b.i, b.j})); }) ==
        R"(error E0110 types do not mix
  in computation(out) at HERE
  out reads in as float64, but it holds float32
  to fix it: read it by its handle, and cast what is read
)");
  CHECK(b([&] { b.f.computation("out", {Var("i", 0, b.g.N)}, 1.0f); }) ==
        R"(error E0101 unknown computation
  in computation(out) at HERE
  the upper bound of i uses N by a handle of another function, g
  to fix it: use the handle N that this function gave
)");
}

TEST_CASE("E0101: handles of another function are refused wherever they stand", "[error]") {
  Both b;
  Function& f = b.f;
  const Foreign& g = b.g;
  const Var i = b.i, j = b.j, k("k", 0, b.N), over("k", 0, g.N);
  const Expr far = b.far, near = b.near;
  const auto is = [&](const std::string& text, const std::string& what) {
    CHECK(in_short(text) == "E0101 " + what + " by a handle of another function, g");
  };
  is(b([&] { f.computation("o", {i, j}, near + cast(f32, g.s(i, j))); }), "o reads s");
  is(b([&] { f.computation("o", {i, j}, select(near > 0.0f, 1.0, far)); }), "o reads in");
  is(b([&] { f.computation("o", {i, j}, b.in(clamp(g.at(i), 0, b.N - 1), j)); }), "o reads at");
  is(b([&] { f.computation("o", {i}, g.at); }), "o reads at");
  is(b([&] { f.computation("o", {i}, sum(j, far)); }), "o reads in");
  is(b([&] { f.computation("o", {i}, let("x", g.N + 1)); }), "o uses N");
  is(b([&] { f.computation("o", {i}, call(f32, "h", {g.in.array()})); }), "o reads in");
  is(b([&] { f.computation("o", {i}, call(f32, "h", {g.s.array()})); }), "o reads s");
  is(b([&] { f.computation("o", {i}, sum(over, b.in(k, 0))); }), "o uses N");
  is(b([&] { f.computation({"o", "p"}, {i}, argmin(j, far)); }), "o reads in");
  is(b([&] { f.computation({"o", "p"}, {i, j}, tuple({near, far})); }), "o reads in");
  is(b([&] { f.computation("o", {Var("x", 0, g.M)}, 1.0f); }), "the upper bound of x uses M");
  is(b([&] { f.declare("o", {Var("x", g.N, b.M)}, f32); }), "the lower bound of x uses N");
  is(b([&] { b.s.update({i}, {i, g.N - 1}, 1.0f); }), "index 1 of the element of s uses N");
  is(b([&] { b.s.update({i}, {i, g.at(i)}, 1.0f); }), "s_1 reads at");
  is(b([&] { b.s.update({i}, {i, 0}, cast(f32, g.s(i, 0))); }), "s_1 reads s");
  const Var run("q", b.at(0), g.at(0));
  is(b([&] { b.s.update({run}, {0, run}, b.in(0, run)); }), "the upper bound of q reads at");
  is(b([&] { f.param("n", g.at(0)); }), "the element reads at");
  is(b([&] { f.param("n", b.at(g.N - 1)); }), "the element uses N");
  is(b([&] { f.input("x", f32, {b.N, g.N}); }), "extent 1 of x uses N");
  is(b([&] { f.buffer("x", f32, {g.N}); }), "extent 0 of x uses N");
  is(b([&] { f.assume(g.N > 3); }), "the assumption uses N");

  Computation u = b.s.update({i, j}, {i, j}, b.s(i, j) + 1.0f);
  is(b([&] { u.where(g.at(i) > 3); }), "the condition reads at");
  is(b([&] { u.where(i < g.M && near > 0.0f); }), "the condition uses M");
  is(b([&] { u.shift(i, g.N); }), "the amount uses N");
  is(b([&] { u.split(i, g.N); }), "the size uses N");
  is(b([&] { u.tile(i, j, 4, g.N); }), "a tile size uses N");
  is(b([&] { u.store_in({i % g.N, j}); }), "index 0 into s uses N");
  is(b([&] { b.s.set_size({b.N, g.M}); }), "extent 1 of s uses M");
  Computation later = f.declare("later", {i}, i64);
  is(b([&] { later.define(g.later(i)); }), "later reads later");
}

TEST_CASE("E0101 and E0115: inputs and buffers of another function", "[error]") {
  Both b;
  const Foreign& g = b.g;
  CHECK(b([&] { b.s.cache_at(b.i, g.in, "c", {Var("x"), Var("y")}); }) ==
        R"(error E0101 unknown computation
  in a command on s at HERE
  in is an input of another function, g
  to fix it: name an input of f
)");
  CHECK(in_short(b([&] { b.s.prefetch(b.i, g.in, 4); })) ==
        "E0101 in is an input of another function, g");
  CHECK(b([&] { b.s.store_in(g.s.buffer()); }) == R"(error E0115 unknown buffer
  in store_in(s) at HERE
  s is a buffer of another function, g
  to fix it: name a buffer of f
)");
  const auto foreign = "E0115 in is a buffer of another function, g";
  const Buffer out = b.s.buffer();
  CHECK(in_short(b([&] { b.f.loops({g.in.buffer(), out}); })) == foreign);
  CHECK(in_short(b([&] { b.f.jit({g.in.buffer(), out}); })) == foreign);
  CHECK(in_short(b([&] { b.f.codegen({g.in.buffer(), out}, "f.o"); })) == foreign);
  CHECK(in_short(b([&] { b.f.communication({g.in.buffer(), out}); })) == foreign);
  CHECK(in_short(b([&] { b.s.store_in(g.g.buffer("b"), {b.i, b.j}); })) ==
        "E0115 b is a buffer of another function, g");
}

TEST_CASE("a step of a reducer has no handle in it, whatever its name is", "[error]") {
  Both b;
  const Input left = b.f.input("left_0", f32, {});
  const Reducer reducer("odd", {0.0f}, [&](const auto& x, const auto& y) {
    return std::vector<Expr>{x[0] + y[0] + left()};
  });
  const std::vector<std::string> names{"o"};
  CHECK(in_short(b([&] { b.f.computation(names, {b.i}, reduce(reducer, b.j, {b.near})); })) ==
        "E0106 a step of odd uses more than its two operands");
}

TEST_CASE("names alone and copies of a function mean what the function has", "[error]") {
  Both b;
  Function same = b.f;
  const Var i("i", 0, parameter("N")), j("j", 0, Param("M"));
  Computation t = same.computation("t", {i, j}, access("in", f32, {i, j}) + b.near);
  t.split(i, Param("N")).store_in(Buffer("t"));
  Array<float> in({2, 3}, 4.0f), out({2, 3});
  Array<std::int32_t> at({2});
  REQUIRE(b.f.jit({Buffer("in"), b.at.buffer(), t.buffer()})({2, 3}, {in, at, out}) == 0);
  CHECK(out(1, 2) == 8.0f);
}

TEST_CASE("one iterator needs no braces", "[error]") {
  const auto text = [](const auto& one, const auto& other) {
    Grid g;
    g.f.assume(g.M >= 1);
    Computation t = g.f.computation("t", one(g.i), g.in(g.i, 0));
    Computation d = g.f.declare("d", one(g.i), f32);
    d.define(t(g.i)).update(one(g.i), {g.i}, 1.0f);
    g.f.computation({"best", "at"}, one(g.i), argmin(g.j, g.in(g.i, g.j)));
    t.cache_at(g.i, g.in, "c", {Var("x"), Var("y")});
    t.copy_at(g.i, "made", other(Var("z")));
    return g.f.text();
  };
  const auto alone = [](const Var& v) { return v; };
  const auto braced = [](const Var& v) { return std::vector<Var>{v}; };
  CHECK(text(alone, alone) == text(braced, braced));
}

}  // namespace strata::test::handles_test
