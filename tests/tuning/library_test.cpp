// A library whose generator replays a log of another machine: the model's choice.
#include <strata/buffer.h>
#include <catch2/catch.hpp>

#include "tests/tuning/hooked.h"
#include "tuned_product.h"

namespace strata::test::library_test {

TEST_CASE("a library is built from a log") {
  constexpr std::int64_t n = 37;
  Array<std::int32_t> a({n, n}), b({n, n}), c({n, n});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      a(i, j) = std::int32_t(3 * i - j);
      b(i, j) = std::int32_t(i + 5 * j);
    }
  REQUIRE(tuned_product(n, a, b, c) == 0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      std::int32_t sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += a(i, k) * b(k, j);
      REQUIRE(c(i, j) == sum);
    }
  std::size_t vectorized = 0;
  for (const std::string& line : lines_of(TUNED_PRODUCT_LOOPS))
    vectorized += line.find("vectorize(") != std::string::npos;
  CHECK(vectorized > 0);
}

}  // namespace strata::test::library_test
