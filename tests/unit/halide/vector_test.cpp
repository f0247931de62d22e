// The instructions of vector loops, in the assembly for one target.
#include <strata/strata.h>

#include <catch2/catch.hpp>

#include "codegen/lower.h"
#include "schedule/finish.h"
#include "tests/unit/halide/assembly.h"
#include "tests/unit/halide/operators.h"

namespace strata::test::vector_test {

namespace {

Kernel axpy(Type type, int lanes, Floats mode) {
  const Expr i = v("i"), sum = load("y", type, {i}) + load("x", type, {i}) * load("w", type, {i});
  return kernel(
      "axpy", {"N"},
      {argument("x", type, Access::read, {p("N")}), argument("w", type, Access::read, {p("N")}),
       argument("y", type, Access::read_and_written, {p("N")})},
      over_elements(lanes, store("y", {i}, sum)), mode);
}

// Sums of three neighbours in a row, then in a column, in tiles of 7 rows and a vector.
Kernel filter(bool parallel) {
  Function f("filter");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), k("k", 0, N - 2), w("w", 0, W - 6), k0("k0"), w0("w0"), k1("k1"), w1("w1");
  Input in = f.input("in", f32, {N, W});
  Computation rows = f.computation("rows", {i, w}, in(i, w) + in(i, w + 3) + in(i, w + 6));
  Computation out = f.computation("out", {k, w}, rows(k, w) + rows(k + 1, w) + rows(k + 2, w));
  out.tile(k, w, 7, 16, k0, w0, k1, w1);
  rows.compute_at(out, w0);
  rows.unroll(i).vectorize(w);
  if (parallel) out.parallelize(k0);
  out.unroll(k1).vectorize(w1);
  LowerOptions options;
  options.arguments = {"in", "out"};
  return lower(finished(f.program(), options.arguments, {}), options);
}

}  // namespace

// The version for any strides is scalar, with one operation of each kind.
TEST_CASE("lanes of a fused multiply-add become vectors again", "[halide]") {
  for (const Type type : {f32, f64})
    for (const int lanes : {4, 8, 16, 32}) {
      CAPTURE(to_string(type), lanes);
      const Assembly fast(axpy(type, lanes, Floats::fast));
      const int vectors = std::max(1, lanes * bytes(type) / 32);
      CHECK(fast.count("vfmadd\\d+p[sd]") == vectors);
      CHECK(fast.count("vfmadd\\d+s[sd]") == 1);
      const Assembly exact(axpy(type, lanes, Floats::exact));
      CHECK(exact.count("vfmadd\\d+[ps][sd]") == 0);
      CHECK(exact.count("vmulp[sd]") == vectors);
    }
}

TEST_CASE("a register tile stays in registers", "[halide]") {
  // acc[4, 16] += a[k, i] * b[k, j], for j in vectors of 8.
  const Expr k = v("k"), K = p("K");
  const auto tile = [](const std::string& s, const auto& body) {
    const Expr j = v("j" + s);
    return steps("i" + s, n(0), 4,
                 steps("j" + s, n(0), 2,
                       steps("l" + s, j * n(8), 8, body(v("i" + s), v("l" + s)), Processor::vector),
                       Processor::unrolled),
                 Processor::unrolled);
  };
  const auto zero = [](const Expr& i, const Expr& l) {
    return store("acc", {i, l}, constant(f32, 0));
  };
  const auto step = [&](const Expr& i, const Expr& l) {
    return store("acc", {i, l},
                 load("acc", f32, {i, l}) + load("a", f32, {k, i}) * load("b", f32, {k, l}));
  };
  const auto out = [](const Expr& i, const Expr& l) {
    return store("c", {i, l}, load("acc", f32, {i, l}));
  };
  const StmtPtr body = make_stmt(
      Allocate{"acc",
               f32,
               {n(0), n(0)},
               {n(4), n(16)},
               block({tile("0", zero), loop("k", n(0), K, tile("1", step)), tile("2", out)})});
  const Kernel tiled = kernel(
      "tile", {"K"},
      {argument("a", f32, Access::read, {K, n(4)}), argument("b", f32, Access::read, {K, n(16)}),
       argument("c", f32, Access::written, {n(4), n(16)})},
      body, Floats::fast);
  const Assembly assembly(tiled);
  CHECK(assembly.count("vfmadd\\d+ps") == 8);
  // Stores of the accumulators; those to the stack are the facts for the entry checks.
  CHECK(assembly.count("vmovups\\s+%ymm\\d+, -?\\d*\\(%r(?!sp)") == 8);

  const std::int64_t steps_of_k = 37;
  Array<float> a({steps_of_k, 4}), b({steps_of_k, 16}), c({4, 16}, -1);
  for (float& e : a) e = static_cast<float>((&e - a.data()) % 7 - 3);
  for (float& e : b) e = static_cast<float>((&e - b.data()) % 5 - 2);
  REQUIRE(JitKernel(tiled).call({steps_of_k}, {a, b, c}) == 0);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 16; ++j) {
      float sum = 0;
      for (int q = 0; q < steps_of_k; ++q) sum += a(q, i) * b(q, j);
      CHECK(c(i, j) == sum);
    }
}

// Reads with stride three become three vectors, and lanes picked from them. Scalar loads would
// insert each lane by itself.
TEST_CASE("strided reads side by side are dense loads and shuffles", "[halide]") {
  const Expr i = v("i");
  const auto at = [&](int channel) { return load("x", f32, {i * n(3) + n(channel)}); };
  const Assembly assembly(kernel("grey", {"N"},
                                 {argument("x", f32, Access::read, {p("N") * n(3)}),
                                  argument("y", f32, Access::written, {p("N")})},
                                 over_elements(8, store("y", {i}, at(0) + at(1) + at(2))),
                                 Floats::exact));
  CHECK(assembly.count("v?(insertps|pinsr|movss.*, %xmm)") <= 3);  // in the scalar version
  CHECK(assembly.count("v(shufps|permps|blendps|perm2f128|unpck)") > 0);
}

// 9 rows that are read and 7 that are written, each at a stride from the one before: addresses that
// are all in registers do not fit. What the loop counts to may be on the stack.
TEST_CASE("the addresses of rows are not on the stack, in loops of one function or of two",
          "[halide][assembly]") {
  const std::string target = "x86-64-linux-sse41-avx-avx2-f16c-fma-avx512-avx512_skylake";
  for (const bool parallel : {false, true}) {
    CAPTURE(parallel);
    const Assembly assembly(filter(parallel), target);
    CHECK(assembly.count_in_loop("vaddps.*%zmm", "vaddps.*%zmm") == 32);
    CHECK(assembly.count_in_loop("vaddps.*%zmm", ".*\\(%rsp") <= 1);
  }
}

}  // namespace strata::test::vector_test
