// Bounds on floats, and read relations compared with actual reads.
#include <catch2/catch.hpp>

#include <cmath>

#include "reference/compare.h"
#include "reference/dataflow.h"
#include "reference/handmade.h"
#include "reference/inputs.h"

namespace strata::test::compare_test {

using reference::Handmade;
using reference::Point;

TEST_CASE("epsilons", "[judge]") {
  CHECK(reference::epsilon(f16) == 0.0009765625);
  CHECK(reference::epsilon(bf16) == 0.0078125);
  CHECK(reference::epsilon(f32) == 1.1920928955078125e-07);
  CHECK(reference::epsilon(f64) == 2.220446049250313e-16);
}

TEST_CASE("sums in different orders stay within the bound, which is not far off", "[judge]") {
  const Program program = Handmade({}).input("{ x[i] : 0 <= i < 4000 }", f32).program();
  const auto x = reference::random_inputs(program, {}, 11)["x"];
  float up = 0, down = 0, fused = 0;
  double magnitude = 0;
  for (std::int64_t n = 0; n < 4000; ++n) {
    const float v = float(x.real({n})), w = float(x.real({3999 - n}));
    up += v * v;
    down += w * w;
    fused = std::fma(v, v, fused);
    magnitude += double(v) * v;
  }
  const double bound = reference::sum_bound(f32, 4000, magnitude);
  CHECK(up != down);
  CHECK(std::fabs(double(up) - down) <= bound);
  CHECK(std::fabs(double(up) - fused) <= bound);
  CHECK(bound < 0.001 * magnitude);
}

TEST_CASE("distances of special values", "[judge]") {
  const auto real = [](double v) { return reference::real_scalar(f32, v); };
  CHECK(reference::distance(real(1), real(1.5)) == 0.5);
  CHECK(reference::distance(real(NAN), real(NAN)) == 0);
  CHECK(reference::distance(real(INFINITY), real(INFINITY)) == 0);
  CHECK(std::isinf(reference::distance(real(INFINITY), real(1))));
  CHECK(std::isinf(reference::distance(real(NAN), real(1))));
}

TEST_CASE("the first element beyond its bound is reported", "[judge]") {
  reference::Array expected = reference::Array::box(f64, {0}, {3}), actual = expected;
  for (std::int64_t n = 0; n < 3; ++n) {
    expected.set({n}, reference::scalar(double(n)));
    actual.set({n}, reference::scalar(n + 0.25));
  }
  CHECK(reference::first_beyond(expected, actual, 0.25) == "");
  CHECK(reference::first_beyond(expected, actual, [](const Point& p) {
          return p[0] == 1 ? 0.0 : 1.0;
        }) == "[1] is 1.25 and should be 1, at most 0 off");
  CHECK(reference::first_difference(expected, expected) == "");
  CHECK(reference::first_difference(expected, actual) == "[0] is 0.25 and should be 0");
  CHECK(reference::first_difference(expected, reference::Array::box(f64, {0}, {3})) ==
        "[0] has no value");
}

namespace {

const Expr i = variable("i"), k = variable("k");

// X(i) = i, then X(i) = X(i - 1) + X(i) for i > 0; "reads" are the read relations of the update.
std::vector<std::string> differences(const std::vector<std::string>& reads) {
  const Expr value = access("X", i64, {i - 1}) + access("X", i64, {i});
  Handmade made({"N"});
  made.define("{ X[i] : 0 <= i < N }", i)
      .define("{ X_1[i] : 0 < i < N }", value, reads, "{ X_1[i] -> X[i] }");
  return reference::dataflow_differences(made.program(), {{"N", 4}}, {});
}

const std::string from_first = "{ X_1[1] -> X[0] }",
                  from_update = "{ X_1[i] -> X_1[i - 1] : i > 1 }", from_old = "{ X_1[i] -> X[i] }";

}  // namespace

TEST_CASE("dataflow of an update", "[judge][dataflow]") {
  CHECK(differences({from_first, from_update, from_old}).empty());
  SECTION("a read left out") {
    const auto found = differences({from_first, from_update});
    REQUIRE(found.size() == 3);
    CHECK(found[0] == "X_1[1] reads and its read relations lack X[1]");
  }
  SECTION("the old value where the new one is read") {
    const auto found = differences({from_first, "{ X_1[i] -> X[i - 1] : i > 1 }", from_old});
    REQUIRE(found.size() == 4);
    CHECK(found[0] == "X_1[2] reads and its read relations lack X_1[1]");
    CHECK(found[1] == "X_1[2] does not read X[1]");
  }
}

TEST_CASE("dataflow of a result: all contributions and the initial value", "[judge][dataflow]") {
  const auto differences = [](const std::vector<std::string>& reads) {
    Handmade made({"N"});
    made.reduce("{ C[i, k] : 0 <= i, k < N }", "{ C_init[i] : 0 <= i < N }", Reduction::sum, i + k,
                {}, "{ C[i, k] -> C[i] }")
        .define("{ R[i] : 0 <= i < N }", access("C", i64, {i}), reads);
    return reference::dataflow_differences(made.program(), {{"N", 2}}, {});
  };
  CHECK(differences({"{ R[i] -> C[i, k] : 0 <= k < N }", "{ R[i] -> C_init[i] }"}).empty());
  CHECK(differences({"{ R[i] -> C[i, k] : 0 <= k < N }"}).size() == 2);
  CHECK(differences({"{ R[i] -> C[i, k] : 0 < k < N }", "{ R[i] -> C_init[i] }"}).size() == 2);
}

}  // namespace strata::test::compare_test
