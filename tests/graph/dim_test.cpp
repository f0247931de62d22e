// Normal forms and questions about dims, beside their values.
#include <catch2/catch.hpp>

#include <strata/graph.h>

#include "tests/graph/draw_dims.h"

namespace strata::test::dim_test {

using graph::Answer;
using graph::dim_text;
using graph::equal;

const Param n("n"), m("m"), k("k");

TEST_CASE("equal dims have one normal form", "[graph]") {
  CHECK(dim_text(n * 4) == dim_text(4 * n));
  CHECK(dim_text((n * m) * 2) == dim_text(m * (2 * n)));
  CHECK(dim_text(n + m - m) == "n");
  CHECK(dim_text((4 * n + 6) / 4) == "n + 1");
  CHECK(dim_text((n / 2) / 3) == dim_text(n / 6));
  CHECK(dim_text(max(n, n - 1)) == "n");
  CHECK(dim_text(n % 4) == dim_text(n - n / 4 * 4));
  CHECK(dim_text(n - n) == "0");
  CHECK(dim_text(2 * n + 3 - 2 * n) == "3");
  CHECK(dim_text((2 * n + 5) / 4) == dim_text((n + 2) / 2));
}

TEST_CASE("dims are equal, different, or either", "[graph]") {
  CHECK(equal(n * 4, 4 * n) == Answer::yes);
  CHECK(equal(n, n + 1) == Answer::no);
  CHECK(equal(2 * n, 2 * m + 1) == Answer::no);
  CHECK(equal(n, m) == Answer::unknown);
  CHECK(equal(2 * (n / 2), n) == Answer::unknown);
  CHECK(equal(2 * (n / 2), n, {n % 2 == 0}) == Answer::yes);
  CHECK(equal(n, m, {n == m}) == Answer::yes);
  CHECK(equal(n + 1, 0, {n >= 0}) == Answer::no);
  CHECK(equal(n * m, m * n) == Answer::yes);
  CHECK(equal(n * m, n * m + 1) == Answer::no);
  CHECK(equal(n * m, n * k) == Answer::unknown);
  CHECK(equal(n * m, n * k, {n * m == n * k}) == Answer::yes);
}

TEST_CASE("a coefficient beyond int64 leaves the operation as it is", "[graph]") {
  const Expr large = constant(i64, std::int64_t{1} << 62);
  const Expr product = n * large * 4;
  CHECK(graph::value_of(product, {{"n", 0}}) == 0);
  CHECK_FALSE(graph::value_of(product, {{"n", 1}}));
  CHECK(equal(product, product) == Answer::yes);
  CHECK_FALSE(graph::constant_dim(large + large));
}

// Do the normal form and the answers agree with the values of the dims?
void compare(DimDraw& draw, const Expr& a, const Expr& b) {
  const Answer answer = equal(a, b);
  const Expr normal = graph::normal(a);
  for (int trial = 0; trial < 8; ++trial) {
    const graph::SymbolValues values = draw.values();
    const auto x = graph::value_of(a, values), y = graph::value_of(b, values);
    REQUIRE(x);
    REQUIRE(y);
    CHECK(graph::value_of(normal, values) == x);
    if (answer == Answer::yes) CHECK(*x == *y);
    if (answer == Answer::no) CHECK(*x != *y);
  }
}

TEST_CASE("10,000 random pairs of dims are never judged wrongly", "[graph]") {
  DimDraw draw(11);
  int yes = 0, no = 0;
  for (int pair = 0; pair < 10'000; ++pair) {
    const Expr a = draw.dim(3), b = pair % 2 == 0 ? draw.rearranged(a) : draw.dim(3);
    INFO(dim_text(a) << "  and  " << dim_text(b));
    compare(draw, a, b);
    yes += equal(a, b) == Answer::yes ? 1 : 0;
    no += equal(a, b) == Answer::no ? 1 : 0;
  }
  CHECK(yes > 4'000);
  CHECK(no > 200);
}

TEST_CASE("the normal form of a normal form is itself", "[graph]") {
  DimDraw draw(5);
  for (int trial = 0; trial < 2'000; ++trial) {
    const Expr normal = graph::normal(draw.dim(4));
    INFO(dim_text(normal));
    CHECK(dim_text(normal) == dim_text(graph::normal(normal)));
  }
}

TEST_CASE("a dim is bounded as a whole", "[graph]") {
  const Param n("n"), m("m");
  const graph::SymbolValues bounds{{"n", 20}, {"m", 5}};
  const auto bound = [&](const Expr& dim) { return graph::upper_bound(dim, bounds); };
  CHECK(bound(max(n - m, 1)) == 20);
  CHECK(bound(n - n / 2) == 10);
  CHECK(bound((n + 3) / 4 * 4) == 20);
  CHECK(bound(n - m * 4) == 20);
  CHECK(bound(n * m + 1) == 101);
  CHECK(bound(n % 7) == 6);
  CHECK(bound(min(Expr(n), 30 - n)) == 15);
  CHECK(bound(Expr(7)) == 7);
  CHECK(!bound(parameter("k") + n));
  CHECK(!graph::upper_bound(n * n * n, {{"n", std::int64_t{1} << 40}}));
}

}  // namespace strata::test::dim_test
