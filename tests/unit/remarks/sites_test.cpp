// Typical sizes, estimates and the counts of statements that remarks rest on.
#include <strata/strata.h>

#include "tests/unit/remarks/programs.h"

namespace strata::test::remark_sites_test {

TEST_CASE("remarks: index expressions at given sizes", "[remarks]") {
  const Values at{{"N", 10}, {"i", -7}};
  const Expr i = variable("i"), N = parameter("N");
  CHECK(estimated(i / 4, at) == -2);
  CHECK(estimated(i % 4, at) == 1);
  CHECK(estimated(i % constant(i64, 0), at) == 0);
  CHECK(estimated(min(i, N) * 3 - 1, at) == -22);
  CHECK(estimated(select(i < 0 && !(N == 3), N, i), at) == 10);
  CHECK(estimated(-i, at) == 7);
  CHECK(estimated(variable("j"), at) == std::nullopt);
  CHECK(estimated(load("in", i64, {i}), at) == std::nullopt);
}

TEST_CASE("remarks: typical sizes fulfil the assumptions", "[remarks]") {
  Kernel kernel;
  kernel.parameters = {"N", "M"};
  CHECK(typical_sizes(kernel, {}) == Values{{"N", 1000}, {"M", 1000}});
  CHECK(typical_sizes(kernel, {{"M", 3}}) == Values{{"N", 1000}, {"M", 3}});
  kernel.assumptions = {{parameter("N") % 16 == 0, ""}};
  CHECK(typical_sizes(kernel, {}) == Values{{"N", 1024}, {"M", 1024}});
  kernel.assumptions = {{parameter("N") <= 20, ""}};
  CHECK(typical_sizes(kernel, {}) == Values{{"N", 16}, {"M", 16}});
}

TEST_CASE("remarks: statements run as often as their loops say", "[remarks]") {
  Function f("f");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, 2 * i + 1);
  Input in = f.input("in", f32, {N, 2 * N});
  f.computation("S", {i, j}, in(i, j) * 2.0f + 1.0f);
  LowerOptions options;
  options.arguments = {"in", "S"};
  const Kernel kernel = lower(finished(f.program(), options.arguments, {}), options);
  const Tree tree = tree_of(kernel, {}, {{"N", 101}});
  REQUIRE(tree.sites.size() == 1);
  // The sum of 2 i + 1 over i < 101 is 101^2: the middle row has 101 elements.
  CHECK(tree.sites[0].runs == 101 * 101);
  CHECK(arithmetic(*tree.sites[0].execute) == 2);
  CHECK(tree.sites[0].work() == 3 * 101 * 101);
  CHECK(sizes_text(tree) == "with N = 101");
}

}  // namespace strata::test::remark_sites_test
