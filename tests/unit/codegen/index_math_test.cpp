// Simplifying an index expression keeps its value.
#include "codegen/tree/index_math.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/expr/expr_text.h"
#include "reference/evaluate.h"

namespace strata::test::index_math_test {

namespace {

const Expr i = variable("i"), n = parameter("N");

class Values : public reference::Environment {
 public:
  std::int64_t i = 0, n = 0;
  std::int64_t variable(const std::string&) override { return i; }
  std::int64_t parameter(const std::string&) override { return n; }
};

std::string text(const Expr& e) { return to_text(simplified(e)); }

// A random expression over i and N.
Expr any(std::mt19937& random, int depth) {
  auto pick = [&](int count) { return int(random() % unsigned(count)); };
  if (depth == 0) return pick(3) == 0 ? constant(i64, pick(9) - 4) : pick(2) ? i : n;
  const Expr a = any(random, depth - 1), b = any(random, depth - 1);
  switch (pick(9)) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * (pick(9) - 4);
    case 3: return a / (pick(6) + 1);
    case 4: return a % (pick(6) + 1);
    case 5: return min(a, b);
    case 6: return max(a, b);
    case 7: return select(a <= b, a, b);
    default: return -a;
  }
}

}  // namespace

TEST_CASE("sums are gathered", "[codegen]") {
  CHECK(text(8 * i + (i + 3) - 1 - 9 * i) == "2");
  CHECK(text((n - 1) + 1) == "N");
  CHECK(text(-i + n) == "N - i");
  CHECK(text(3 - i) == "3 - i");
  CHECK(text(2 * (i + n) - i) == "i + 2 * N");
  CHECK(text(0 * i) == "0");
}

TEST_CASE("constants are drawn into minima and folded", "[codegen]") {
  CHECK(text(min(Expr(std::int64_t(15)), n - 1) + 1) == "min(16, N)");
  CHECK(text(max(Expr(std::int64_t(2)), Expr(std::int64_t(5)))) == "5");
  CHECK(text(Expr(std::int64_t(-7)) / std::int64_t(2)) == "-4");
  CHECK(text(Expr(std::int64_t(-7)) % std::int64_t(2)) == "1");
  CHECK(text(i / 1) == "i");
}

TEST_CASE("what is left of a multiple is a remainder", "[codegen]") {
  CHECK(text(i + 3 - 7 * ((i + 3) / 7)) == "(i + 3) % 7");
  CHECK(text(i + 3 - 7 * ((i + 1) / 7)) == "(i + 1) % 7 + 2");
  CHECK(text(2 * i - 6 * (i / 3)) == "2 * (i % 3)");
  CHECK(text(i % 32 - 8 * (i / 8) + 32 * (i / 32)) == "i % 8");
  CHECK(text(i % 4 + (n + 1) % 4 + 1) == "i % 4 + (N + 1) % 4 + 1");
}

TEST_CASE("the difference of expressions that differ by a constant", "[codegen]") {
  CHECK(constant_difference(8 * i + 8, 8 * i) == 8);
  CHECK(constant_difference(n, n) == 0);
  CHECK(constant_difference(i / 2 + 3, i / 2 - 4) == 7);
  CHECK(constant_difference(i % 8 + 8 * (i / 8), i - 1) == 1);
  CHECK_FALSE(constant_difference(n, i));
  CHECK_FALSE(constant_difference(2 * i, i));
}

TEST_CASE("a simplified expression has the same value", "[codegen]") {
  std::mt19937 random(7);
  Values values;
  for (int round = 0; round < 3000; ++round) {
    const Expr e = any(random, 1 + int(random() % 5));
    const Expr simple = simplified(e);
    values.i = int(random() % 41) - 20;
    values.n = int(random() % 41) - 20;
    INFO(to_text(e) << "  ~>  " << to_text(simple) << " at " << values.i << ", " << values.n);
    REQUIRE(reference::integer_of(reference::evaluate(simple, values)) ==
            reference::integer_of(reference::evaluate(e, values)));
  }
}

TEST_CASE("constants drawn into extrema that share their operands multiply no nodes", "[codegen]") {
  const auto nodes_of = [](int levels) {
    Expr e = variable("i");
    for (int n = 0; n < levels; ++n) e = min(e + 1, e + 2);
    int nodes = 0;
    visit(simplified(simplified(e)), [&](const Expr&) { ++nodes; });
    return nodes;
  };
  CHECK(nodes_of(20) < 2'000);
  CHECK(nodes_of(60) < 6'000);
}

}  // namespace strata::test::index_math_test
