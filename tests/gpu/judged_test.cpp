// Launches on the device at hand, compared with the judges: results, order, races, and nothing
// written outside.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/gpu/halide_devices.h"

namespace strata::test::gpu_judged_test {

namespace {

const Var i0("i0"), i1("i1"), q("q"), v("v");

Options on_device() {
  Options options;
  options.floats = Floats::exact;
  options.target = tested_target();
  return options;
}

// r(i) = the sum of in(i, k, l), in atomic steps.
struct Sums {
  Function f{"sums"};
  Param N = f.param("N");
  Var i{"i", 0, N}, k{"k", 0, 6}, l{"l", 0, 3};
  Input in = f.input("in", i32, {N, 6, 3});
  Computation r = f.computation("r", {i}, sum(std::vector<Var>{k, l}, in(i, k, l)));

  Sums() { r.atomic(); }
  void check() {
    Judged sums(f, {in.buffer(), r.buffer()}, on_device());
    for (const std::int64_t n : {0, 1, 9}) sums.check({n});
  }
};

}  // namespace

TEST_CASE("initial values where blocks or threads run over contributions", "[gpu]") {
  Sums p;
  SECTION("a block") { p.r.gpu_blocks(p.i, p.k).gpu_threads(p.l); }
  SECTION("tiles of both") { p.r.gpu_tile(p.i, p.k, 4, 4); }
  SECTION("two blocks") { p.r.gpu_blocks(p.i, p.k, p.l); }
  SECTION("a thread") { p.r.split(p.i, 4, i0, i1).gpu_blocks(i0).gpu_threads(i1, p.k); }
  SECTION("two threads") { p.r.split(p.i, 4, i0, i1).gpu_blocks(i0).gpu_threads(i1, p.k, p.l); }
  SECTION("a thread around those of results") {
    p.r.split(p.i, 4, i0, i1).interchange(i1, p.k).gpu_blocks(i0).gpu_threads(p.k, i1);
  }
  p.check();
}

TEST_CASE("initial values in the axes of their results, where blocks run over contributions",
          "[gpu]") {
  Function f("sums");
  Param N = f.param("N");
  Var x("x", 0, 5), z("z", 0, 3), k("k", 0, 4), l("l", 0, N);
  Input in = f.input("in", i32, {5, 3, 4, N});
  Computation r = f.computation("r", {x, z}, sum(std::vector<Var>{k, l}, in(x, z, k, l)));
  r.atomic().interchange(x, l).interchange(z, x);
  r.gpu_blocks(l).gpu_threads(x, k, z);
  Judged sums(f, {in.buffer(), r.buffer()}, on_device());
  for (const std::int64_t n : {0, 1, 9}) sums.check({n});
}

TEST_CASE("a step directly after the initial value", "[gpu]") {
  for (const bool greatest : {false, true})
    for (const int steps : {1, 3}) {
      CAPTURE(greatest, steps);
      Function f("steps");
      Param N = f.param("N");
      Var i("i", 0, N), r("r", 0, steps);
      Input in = f.input("in", i32, {N, steps});
      const Expr one = in(i, r);
      Computation s = f.computation("s", {i}, greatest ? maximum(r, one) : sum(r, one));
      s.atomic().unroll(r).gpu_tile(i, 4);
      Judged sums(f, {in.buffer(), s.buffer()}, on_device());
      for (const std::int64_t n : {1, 9}) sums.check({n});
    }
}

TEST_CASE("a step directly after a first value of any expression", "[gpu]") {
  Function f("steps");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input in = f.input("in", i32, {N});
  Computation s = f.computation("s", {i}, cast(i32, 3 * i - 7));
  Computation add = s.update({j}, {j}, s(j) + in(j));
  s.fuse(i, add, j);
  add.atomic().gpu_tile(i, 4);
  Judged sums(f, {in.buffer(), s.buffer()}, on_device());
  for (const std::int64_t n : {1, 9}) sums.check({n});
}

TEST_CASE("a step whose result is a constant", "[gpu]") {
  using Step = Expr (*)(const Expr&);
  for (const Step step :
       {Step([](const Expr& x) { return x * 0; }), Step([](const Expr& x) { return x | -1; }),
        Step([](const Expr& x) { return min(x, -2147483647 - 1); })}) {
    Function f("steps");
    Param N = f.param("N");
    Var b("b", 0, 3), i("i", 0, N);
    Input in = f.input("in", i32, {N});
    Computation h = f.computation("h", {b}, cast(i32, b + 5));
    Computation made = h.update({i}, {in(i) % 3}, step(h(in(i) % 3)));
    made.atomic().gpu_tile(i, 4);
    Judged constants(f, {in.buffer(), h.buffer()}, on_device());
    for (const std::int64_t n : {1, 9}) constants.check({n});
  }
}

TEST_CASE("masked lanes of which native vectors leave one", "[gpu]") {
  for (const Type type : {i32, i64})
    for (const int lanes : {2, 3, 4}) {
      CAPTURE(to_string(type), lanes);
      Function f("lanes");
      Param N = f.param("N");
      Var i("i", 0, N), j("j", 0, Expr(i) + 1);
      Input in = f.input("in", type, {N, N});
      Computation o = f.computation("o", {i, j}, in(j, i) * 3);
      o.split(i, lanes, i0, i1).gpu_blocks(i0).vectorize(i1);
      o.store_in({j, i});
      Judged masked(f, {in.buffer(), o.buffer()}, on_device());
      for (const std::int64_t n : {1, 7, 12}) masked.check({n});
    }
}

TEST_CASE("functions of a device stay in their launch, also of values that no thread changes",
          "[gpu]") {
  for (const Type type : {f32, f64}) {
    Function f("scaled");
    Param N = f.param("N");
    Var i("i", 0, N);
    Input x = f.input("x", type, {N});
    Scalar s = f.scalar("s", type), t = f.scalar("t", type);
    Computation y = f.computation("y", {i}, x(i) + (s * t + s)),
                z = f.computation("z", {i}, x(i) + round(8 * s));
    for (Computation* made : {&y, &z}) made->gpu_tile(i, 4);
    Options options = on_device();
    options.floats = Floats::fast;
    options.bound = type == f32 ? 1e-5 : 1e-13;
    Judged scaled(f, {x.buffer(), y.buffer(), z.buffer()}, options);
    for (const std::int64_t n : {5, 9}) scaled.check({n});
  }
}

TEST_CASE("scalars of all types in a launch", "[gpu]") {
  for (const Type type : {boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64}) {
    INFO(to_string(type));
    Function f("scaled");
    Param N = f.param("N");
    Var i("i", 0, N);
    Input x = f.input("x", type, {N});
    Scalar s = f.scalar("s", type), at = f.scalar("at", u8);
    const Expr one = x(at % 5);
    Computation y = f.computation("y", {i}, type == boolean ? x(i) != (s && one) : x(i) + s * one);
    y.gpu_tile(i, 4);
    Judged scaled(f, {x.buffer(), y.buffer()}, on_device());
    for (const std::int64_t n : {5, 9}) scaled.check({n});
  }
}

TEST_CASE("conditions on floats in vectors", "[gpu]") {
  for (const Type type : {f16, f32, f64}) {
    Function f("compared");
    Param N = f.param("N");
    Var i("i", 0, N);
    Input a = f.input("a", type, {N}), b = f.input("b", type, {N});
    const Expr x = a(i) / b(i), y = b(i) / a(i);
    const Expr value = select(x < y, x, select(x == y, b(i), min(x, max(y, a(i)))));
    Computation out = f.computation("out", {i}, value + cast(type, cast(i32, x)));
    out.split(i, 4, q, v).vectorize(v).gpu_tile(q, 5);
    Judged(f, {a.buffer(), b.buffer(), out.buffer()}, on_device()).check({50});
  }
}

TEST_CASE("what is loaded under several conditions is loaded under one of them only", "[gpu]") {
  Function f("borders");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  const auto left = [&](int otherwise) { return select(i >= 1, in(i - 1), otherwise); };
  const auto right = [&](int otherwise) { return select(i + 1 < N, in(i + 1), otherwise); };
  Computation s = f.computation(
      "s", {i}, min(left(3), select(in(i) > 0, left(4), 5)) + max(right(6), right(7)));
  s.gpu_tile(i, 4);
  Judged borders(f, {in.buffer(), s.buffer()}, on_device());
  for (const std::int64_t n : {1, 4, 9}) borders.check({n});
}

TEST_CASE("a profile has a row for each launch", "[gpu]") {
  Function f("profiled");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Input in = f.input("in", i32, {N});
  Computation s = f.computation("s", {i}, in(i) + 1), t = f.computation("t", {j}, s(j) * 2);
  Computation out = f.computation("out", {k}, t(k) - 3);
  s.gpu_tile(i, 8);
  t.gpu_tile(j, 8);
  CodegenOptions options;
  options.target = tested_target();
  options.profile = true;
  const JitFunction kernel = f.jit({in.buffer(), out.buffer()}, options);
  Array<std::int32_t> a({20}), b({20});
  a(7) = 5;
  REQUIRE(kernel({20}, {a, b}) == 0);
  CHECK(b(7) == 9);
  const std::string table = kernel.profile();
  for (const char* row : {"i: s ", "j: t ", "k: out "})
    CHECK(table.find(std::string("\n") + row) != std::string::npos);
}

TEST_CASE("a thread's own memory begins where the thread reads", "[gpu]") {
  Function f("own");
  Param N = f.param("N"), M = f.param("M");
  Var x("x", 0, N), i("i", 0, N), j("j", 0, M), k("k", 0, 2), b0("b0"), b1("b1"), c("c");
  Computation s = f.computation("s", {x}, 7 * x);
  Computation r = f.computation("r", {i, j, k}, s(min(j, N - 1)));
  r.gpu_tile(i, j, 3, 2, b0, b1, i1, q);
  r.cache_local_at(q, s, "copy", {c});
  Judged own(f, {r.buffer()}, on_device());
  for (const std::int64_t n : {1, 3, 8})
    for (const std::int64_t m : {1, 2, 5}) own.check({n, m});
}

}  // namespace strata::test::gpu_judged_test
