// The points of a set, against the condition that they satisfy.
#include <catch2/catch.hpp>

#include <functional>
#include <optional>

#include "reference/points.h"

namespace strata::reference::points_test {

namespace {

using Condition = std::function<bool(std::int64_t i, std::int64_t j, std::int64_t n)>;

std::int64_t modulo(std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; }

// All pairs around the origin that satisfy the condition.
std::vector<Point> expected(const Condition& condition, std::int64_t n) {
  std::vector<Point> result;
  for (std::int64_t i = -20; i <= 20; ++i)
    for (std::int64_t j = -20; j <= 20; ++j)
      if (condition(i, j, n)) result.push_back({i, j});
  return result;
}

void compare(const std::string& text, const Condition& condition) {
  INFO(text);
  isl::ctx context(isl_ctx_alloc());
  {
    const isl::set set(context, "[n] -> { [i, j] : " + text + " }");
    const RememberedPoints remembered;
    for (int twice = 0; twice < 2; ++twice)
      for (std::int64_t n = -3; n <= 8; ++n)  // all of i and j within 20
        CHECK(points(set, {{"n", n}}) == expected(condition, n));
  }
  isl_ctx_free(context.release());
}

}  // namespace

TEST_CASE("points: boxes, triangles and strides", "[judge][points]") {
  compare("0 <= i < n and 0 <= j < n",
          [](auto i, auto j, auto n) { return 0 <= i && i < n && 0 <= j && j < n; });
  compare("0 <= i < n and i <= j and 2 j < 3 n",
          [](auto i, auto j, auto n) { return 0 <= i && i < n && i <= j && 2 * j < 3 * n; });
  compare("0 <= i <= j < n and 3 <= j and (i + j) mod 3 = 1", [](auto i, auto j, auto n) {
    return 0 <= i && i <= j && j < n && 3 <= j && modulo(i + j, 3) == 1;
  });
  compare("i = 2 j and -n <= j <= n",
          [](auto i, auto j, auto n) { return i == 2 * j && -n <= j && j <= n; });
}

TEST_CASE("points: floors, unions and what no constraint bounds alone", "[judge][points]") {
  compare("0 <= i < n and 2 * floor(i / 4) <= j <= floor((i + n) / 3)", [](auto i, auto j, auto n) {
    return 0 <= i && i < n && 2 * (i / 4) <= j && 3 * j <= i + n;
  });
  compare("(0 <= i < n and 0 <= j <= i) or (2 <= j < n and 0 <= i <= 5)",
          [](auto i, auto j, auto n) {
            return (0 <= i && i < n && 0 <= j && j <= i) || (2 <= j && j < n && 0 <= i && i <= 5);
          });
  compare("-n <= i + j <= n and -4 <= i - j <= 5", [](auto i, auto j, auto n) {
    return -n <= i + j && i + j <= n && -4 <= i - j && i - j <= 5;
  });
  compare("exists (a, b : i = 2 a + 3 b and 0 <= a < n and 0 <= b <= 2) and j = 0",
          [](auto i, auto j, auto n) {
            for (std::int64_t b = 0; b <= 2; ++b) {
              const std::int64_t twice = i - 3 * b;
              if (j == 0 && modulo(twice, 2) == 0 && 0 <= twice && twice < 2 * n) return true;
            }
            return false;
          });
}

TEST_CASE("points: pairs and images of a relation", "[judge][points]") {
  isl::ctx context(isl_ctx_alloc());
  {
    const isl::map halves(context, "[n] -> { S[i] -> b[j, i mod 2, n] : 2 j <= i <= 2 j + 1 }");
    const isl::set domain(context, "[n] -> { S[i] : 0 <= i < n }");
    for (const bool remembers : {false, true}) {
      std::optional<RememberedPoints> remembered;
      if (remembers) remembered.emplace();
      CHECK(image(halves, {-3}, {{"n", 5}}) == std::vector<Point>{{-2, 1, 5}});
      CHECK(pairs(halves, domain, {{"n", 2}}) ==
            std::vector<Pair>{{{0}, {0, 0, 2}}, {{1}, {0, 1, 2}}});
      CHECK(pairs(halves, domain, {{"n", 0}}).empty());
      CHECK(images(halves, domain, {{"n", 3}}).at({2}) == std::vector<Point>{{1, 0, 3}});
      CHECK_THROWS_AS(pairs(halves, {{"n", 2}}), std::runtime_error);
    }
  }
  isl_ctx_free(context.release());
}

TEST_CASE("points: neither infinitely many nor of unknown parameters", "[judge][points]") {
  isl::ctx context(isl_ctx_alloc());
  {
    const isl::set ray(context, "[n] -> { [i, j] : i >= n and j = 0 }");
    CHECK_THROWS_AS(points(ray, {{"n", 1}}), std::runtime_error);
    CHECK_THROWS_AS(points(ray, {{"m", 1}}), std::runtime_error);
    CHECK(points(isl::set(context, "[n] -> { [i] : i > n and i < n }"), {{"n", 1}}).empty());
    CHECK(holds(isl::set(context, "[n] -> { : n >= 4 }"), {{"n", 4}}));
    CHECK_FALSE(holds(isl::set(context, "[n] -> { : n >= 4 }"), {{"n", 3}}));
  }
  isl_ctx_free(context.release());
}

}  // namespace strata::reference::points_test
