// The layer I interpreter on programs built by hand, compared with plain loops.
#include <catch2/catch.hpp>

#include "reference/handmade.h"
#include "reference/inputs.h"

namespace strata::test::interpreter_test {

using reference::Handmade;
using reference::Point;

namespace {

const Expr i = variable("i"), j = variable("j"), k = variable("k"), t = variable("t");

Expr int32(std::int64_t value) { return constant(i32, value); }

// P(0) = in(0), P(i) = P(i-1) + in(i)
Handmade prefix_sum() {
  return Handmade({"N"})
      .input("{ in[i] : 0 <= i < N }", i32)
      .define("{ P[i] : 0 <= i < N }",
              select(i > 0, access("P", i32, {i - 1}), int32(0)) + access("in", i32, {i}),
              {"{ P[i] -> P[i - 1] : i > 0 }", "{ P[i] -> in[i] }"});
}

// C(i, j) = sum over k of A(i, k) * B(k, j)
Handmade matmul(Type type) {
  return Handmade({"N", "M", "K"})
      .input("{ A[i, k] : 0 <= i < N and 0 <= k < K }", type)
      .input("{ B[k, j] : 0 <= k < K and 0 <= j < M }", type)
      .reduce("{ C[i, j, k] : 0 <= i < N and 0 <= j < M and 0 <= k < K }",
              "{ C_init[i, j] : 0 <= i < N and 0 <= j < M }", Reduction::sum,
              access("A", type, {i, k}) * access("B", type, {k, j}),
              {"{ C[i, j, k] -> A[i, k] }", "{ C[i, j, k] -> B[k, j] }"},
              "{ C[i, j, k] -> C[i, j] }");
}

// X(i, j) = in(i, j), then in place in the interior: X = X(west) + X(east)
Handmade seidel() {
  const Expr sum = access("X", u8, {i - 1, j}) + access("X", u8, {i, j + 1});
  return Handmade({"N"})
      .input("{ in[i, j] : 0 <= i, j < N }", u8)
      .define("{ X[i, j] : 0 <= i, j < N }", access("in", u8, {i, j}), {"{ X[i, j] -> in[i, j] }"})
      .define("{ X_1[i, j] : 0 < i, j < N - 1 }", sum,
              {"{ X_1[i, j] -> X_1[i - 1, j] : i > 1 }", "{ X_1[1, j] -> X[0, j] }",
               "{ X_1[i, j] -> X[i, j + 1] }"},
              "{ X_1[i, j] -> X[i, j] }");
}

}  // namespace

TEST_CASE("interpreter: a recurrence", "[judge][interpreter]") {
  const Program program = prefix_sum().program();
  reference::Arrays inputs;
  inputs["in"] =
      reference::filled(program, {{"N", 6}}, "in", [](const Point& p) { return 3 * p[0]; });
  const auto values = reference::run(program, {{"N", 6}}, inputs);
  const std::int64_t expected[] = {0, 3, 9, 18, 30, 45};
  for (std::int64_t n = 0; n < 6; ++n) CHECK(values["P"].integer({n}) == expected[n]);
  CHECK_FALSE(values["P"].contains({6}));
}

TEST_CASE("interpreter: no instance at all", "[judge][interpreter]") {
  const auto values = reference::run(prefix_sum().program(), {{"N", 0}},
                                     reference::random_inputs(prefix_sum().program(), {{"N", 0}}));
  CHECK(values["P"].elements().empty());
}

TEST_CASE("interpreter: a stencil cut by its select", "[judge][interpreter]") {
  const auto at = [](const Expr& index) { return access("in", f32, {index}); };
  const Program program =
      Handmade({"N"})
          .input("{ in[i] : 0 <= i < N }", f32)
          .define("{ S[i] : 0 <= i < N }",
                  select(i > 0 && i < parameter("N") - 1,
                         (at(i - 1) + at(i) + at(i + 1)) / real_constant(f32, 3), at(i)))
          .program();
  const auto inputs = reference::random_inputs(program, {{"N", 9}});
  const auto values = reference::run(program, {{"N", 9}}, inputs);
  const auto in = [&](std::int64_t n) { return float(inputs["in"].real({n})); };
  CHECK(values["S"].real({0}) == in(0));
  CHECK(values["S"].real({8}) == in(8));
  for (std::int64_t n = 1; n < 8; ++n)
    CHECK(values["S"].real({n}) == (in(n - 1) + in(n) + in(n + 1)) / 3.0f);
}

TEST_CASE("interpreter: contributions are combined in the order of k", "[judge][interpreter]") {
  const reference::Parameters sizes{{"N", 4}, {"M", 3}, {"K", 50}};
  const Program program = matmul(f32).program();
  const auto inputs = reference::random_inputs(program, sizes, 7);
  const auto values = reference::run(program, sizes, inputs);
  for (std::int64_t a = 0; a < 4; ++a)
    for (std::int64_t b = 0; b < 3; ++b) {
      float sum = 0;
      for (std::int64_t c = 0; c < 50; ++c) {
        const float product = float(inputs["A"].real({a, c})) * float(inputs["B"].real({c, b}));
        sum = sum + product;
      }
      CHECK(values["C"].real({a, b}) == sum);
    }
}

TEST_CASE("interpreter: an empty reduction is its identity", "[judge][interpreter]") {
  const reference::Parameters sizes{{"N", 2}, {"M", 2}, {"K", 0}};
  const Program program = matmul(i32).program();
  const auto values = reference::run(program, sizes, reference::random_inputs(program, sizes));
  CHECK(values["C"].elements().size() == 4);
  CHECK(values["C"].integer({1, 1}) == 0);
}

TEST_CASE("interpreter: updates in the reference order", "[judge][interpreter]") {
  const Program program = seidel().program();
  reference::Arrays inputs;
  inputs["in"] =
      reference::filled(program, {{"N", 6}}, "in", [](const Point& p) { return 10 * p[0] + p[1]; });
  const auto values = reference::run(program, {{"N", 6}}, inputs);
  std::uint8_t x[6][6];
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b) x[a][b] = std::uint8_t(10 * a + b);
  for (int a = 1; a < 5; ++a)
    for (int b = 1; b < 5; ++b) x[a][b] = std::uint8_t(x[a - 1][b] + x[a][b + 1]);
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b) CHECK(values["X"].integer({a, b}) == x[a][b]);
}

TEST_CASE("interpreter: definitions that share a loop", "[judge][interpreter]") {
  // A(t) = B(t-1) + 1 and B(t) = 2 * A(t) need values of each other in the same loop.
  Handmade both({"T"});
  both.define("{ A[t] : 0 <= t < T }",
              select(t > 0, access("B", i64, {t - 1}), constant(i64, 0)) + constant(i64, 1))
      .define("{ B[t] : 0 <= t < T }", constant(i64, 2) * access("A", i64, {t}));
  CHECK_THROWS_AS(reference::run(both.program(), {{"T", 4}}, {}), reference::Meaningless);
  both.reference(
      {Handmade::loop("t", {both.branch("{ A[t] -> [t] }"), both.branch("{ B[t] -> [t] }")})});
  const auto values = reference::run(both.program(), {{"T", 4}}, {});
  CHECK(values["A"].integer({3}) == 15);
  CHECK(values["B"].integer({3}) == 30);
}

TEST_CASE("interpreter: extern functions", "[judge][interpreter]") {
  const Expr x = access("in", f64, {i});
  const Program program = Handmade({})
                              .input("{ in[i] : 0 <= i < 3 }", f64)
                              .define("{ S[i] : 0 <= i < 3 }", call(f64, "affine", {x, x * x}))
                              .program();
  reference::Arrays inputs;
  inputs["in"] = reference::filled(program, {}, "in", [](const Point& p) { return p[0] + 1; });
  const auto affine = +[](double a, double b) { return 100 * a + b; };
  const auto values =
      reference::run(program, {}, inputs, {{"affine", reference::as_extern(affine)}});
  CHECK(values["S"].real({2}) == 309);
  CHECK_THROWS(reference::run(program, {}, inputs));
}

TEST_CASE("interpreter: what has no meaning", "[judge][interpreter]") {
  const auto prefix = prefix_sum().program();
  SECTION("a read of a value that is made later") {
    const Program program =
        Handmade({})
            .define("{ S[i] : 0 <= i < 3 }", access("S", i32, {i + 1}) + int32(1))
            .program();
    CHECK_THROWS_WITH(reference::run(program, {}, {}), Catch::Contains("not made yet"));
  }
  SECTION("a read of an element that does not exist") {
    const Program program = Handmade({})
                                .define("{ S[i] : 0 <= i < 3 }", int32(1))
                                .define("{ R[i] : 0 <= i < 4 }", access("S", i32, {i}))
                                .program();
    CHECK_THROWS_WITH(reference::run(program, {}, {}), Catch::Contains("R[3] reads an element"));
  }
  SECTION("a value made twice") {
    const Program program =
        Handmade({}).define("{ S[i] : 0 <= i < 3 }", int32(1), {}, "{ S[i] -> S[0] }").program();
    CHECK_THROWS_WITH(reference::run(program, {}, {}), Catch::Contains("second time"));
  }
  SECTION("parameters outside the context") {
    Handmade cut({"N"}, "{ : N > 3 }");
    cut.define("{ S[i] : 0 <= i < N }", int32(1));
    CHECK_NOTHROW(reference::run(cut.program(), {{"N", 4}}, {}));
    CHECK_THROWS_WITH(reference::run(cut.program(), {{"N", 3}}, {}), Catch::Contains("N = 3"));
  }
  SECTION("an unfinished result") {
    // S sums over k and R reads S(0) inside the same loop.
    Handmade program({});
    program
        .reduce("{ S[k] : 0 <= k < 3 }", "{ S_init[] }", Reduction::sum, int32(1), {},
                "{ S[k] -> S[] }")
        .define("{ R[k] : 0 <= k < 3 }", access("S", i32, {}));
    CHECK(reference::run(program.program(), {}, {})["R"].integer({1}) == 3);
    program.reference({program.branch("{ S_init[] -> [] }"),
                       Handmade::loop("k", {program.branch("{ S[k] -> [k] }"),
                                            program.branch("{ R[k] -> [k] }")})});
    CHECK_THROWS_WITH(reference::run(program.program(), {}, {}), Catch::Contains("unfinished"));
  }
  SECTION("no data") {
    CHECK_THROWS_AS(reference::run(prefix, {{"N", 2}}, {}), reference::Meaningless);
  }
  SECTION("no parameter") { CHECK_THROWS(reference::run(prefix, {}, {})); }
}

TEST_CASE("interpreter: shared and lazy parts of an expression", "[judge][interpreter]") {
  // Doubled 40 times by sharing: a walk along every edge would take 2^40 steps.
  Expr doubled = i + constant(i64, 1);
  for (int n = 0; n < 40; ++n) doubled = doubled + doubled;
  const Var v("v", Expr(0), Expr(i));
  const Program program = Handmade({})
                              .define("{ S[i] : 0 <= i < 3 }", doubled)
                              .define("{ R[i] : 0 <= i < 4 }", sum(v, v * v + constant(i64, 1)))
                              .program();
  const auto values = reference::run(program, {}, {});
  CHECK(values["S"].integer({2}) == std::int64_t{3} << 40);
  CHECK(values["R"].integer({3}) == 0 + 1 + 4 + 3);
}

TEST_CASE("what the buffers hold in the end", "[judge][interpreter]") {
  // S(i) goes to b[i % 2]; T(i) = 10 + i is stored over b[0] later.
  const Program program = Handmade({})
                              .define("{ S[i] : 0 <= i < 5 }", i)
                              .define("{ T[i] : 0 <= i < 2 }", i + constant(i64, 10))
                              .store("{ S[i] -> b[i mod 2] }", BufferRole::output)
                              .store("{ T[i] -> b[0] }", BufferRole::output)
                              .program();
  const auto contents = reference::final_contents(program, {}, reference::run(program, {}, {}));
  CHECK(contents["b"].elements().size() == 2);
  CHECK(contents["b"].integer({0}) == 11);
  CHECK(contents["b"].integer({1}) == 3);
}

TEST_CASE("random inputs differ from element to element and repeat by seed", "[judge]") {
  const Program program = Handmade({})
                              .input("{ a[i] : 0 <= i < 50 }", f32)
                              .input("{ b[i] : 0 <= i < 50 }", u8)
                              .program();
  const auto one = reference::random_inputs(program, {}, 1),
             same = reference::random_inputs(program, {}, 1);
  CHECK(reference::first_difference(one["a"], same["a"]) == "");
  CHECK(reference::first_difference(one["a"], reference::random_inputs(program, {}, 2)["a"]) != "");
  for (std::int64_t n = 1; n < 50; ++n) {
    CHECK(one["a"].real({n}) != one["a"].real({n - 1}));
    CHECK(std::abs(one["a"].real({n})) <= 2);
  }
}

}  // namespace strata::test::interpreter_test
