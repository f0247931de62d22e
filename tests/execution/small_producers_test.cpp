// Vectors over producers that have fewer elements than there are lanes: lanes that are off are
// outside of the producer's buffer.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::small_producers_test {

namespace {

// o(e) = select(first <= e < first + elements, s(the element at e - first), 18), in 8 lanes
void check(std::int64_t elements, std::int64_t first, const std::function<Expr(Expr)>& element) {
  INFO(elements << " elements from " << first);
  Function f("small");
  Var e("e", 0, 20), k("k", 0, elements);
  Input in = f.input("in", i32, {Expr(elements)});
  Computation s = f.computation("s", {k}, in(k) + 1);
  Computation o = f.computation(
      "o", {e}, select(e >= first && e < first + elements, s(element(e - first)), 18));
  o.vectorize(e, 8);
  Judged judged(f, {in.buffer(), o.buffer()});
  const auto after = judged.check({});
  for (std::int64_t x = 0; x < 20; ++x)
    if (x < first || x >= first + elements) CHECK(after["o"].integer({x}) == 18);
}

}  // namespace

TEST_CASE("a vector that begins before its producer", "[vectors]") {
  for (const std::int64_t elements : {1, 2, 3, 7})
    for (const std::int64_t first : {1, 4, 7, 9, 19})
      check(elements, first, [](const Expr& e) { return e; });
}

TEST_CASE("a vector that runs backwards past the begin of its producer", "[vectors]") {
  for (const std::int64_t first : {0, 3, 4, 12})
    check(3, first, [](const Expr& e) { return 2 - e; });
}

TEST_CASE("a vector of every second element, or of each element twice", "[vectors]") {
  for (const std::int64_t first : {1, 3, 4}) {
    check(4, first, [](const Expr& e) { return e / 2; });
    check(4, first, [](const Expr& e) { return 2 * e % 4; });
  }
}

}  // namespace strata::test::small_producers_test
