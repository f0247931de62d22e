#include "core/sets/quotients.h"

#include <catch2/catch.hpp>

#include <isl/set.h>

#include <random>

#include "core/sets/relation_text.h"
#include "core/sets/session.h"

namespace strata::test::quotients_test {

namespace {

// c0 + c1 N + c2 x + c3 e0 + c4 e1 >= 0
using Constraint = std::array<int, 5>;

constexpr int numbers = 6, around = 40;  // 0 <= x, N < numbers, |e| <= around

struct Drawn {
  std::vector<Constraint> constraints;

  explicit Drawn(std::mt19937& random) {
    const auto between = [&](int a, int b) { return a + int(random() % unsigned(b - a + 1)); };
    for (int count = between(2, 5); count > 0; --count) {
      const int factor = between(0, 2) == 0 ? 1 : between(2, 7);
      Constraint c{between(-9, 9), between(-1, 1), between(-2, 2), 0, 0};
      c[std::size_t(between(3, 4))] = between(0, 1) == 0 ? factor : -factor;
      if (between(0, 3) == 0) c[4] += between(-3, 3);
      constraints.push_back(c);
    }
  }

  std::string text() const {
    std::string all = "[N] -> { S[x] : exists (e0, e1: 0 <= x < 6 and -40 <= e0, e1 <= 40";
    for (const Constraint& c : constraints)
      all += " and " + std::to_string(c[0]) + " + " + std::to_string(c[1]) + "N + " +
             std::to_string(c[2]) + "x + " + std::to_string(c[3]) + "e0 + " + std::to_string(c[4]) +
             "e1 >= 0";
    return all + ") }";
  }

  bool holds(int n, int x) const {
    for (int e0 = -around; e0 <= around; ++e0)
      for (int e1 = -around; e1 <= around; ++e1)
        if (std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& c) {
              return c[0] + c[1] * n + c[2] * x + c[3] * e0 + c[4] * e1 >= 0;
            }))
          return true;
    return false;
  }
};

bool has(const isl::set& set, int n, int x) {
  const isl::set point(set.ctx(),
                       "[N] -> { S[" + std::to_string(x) + "] : N = " + std::to_string(n) + " }");
  return !set.is_disjoint(point);
}

std::string explicit_text(const Session& session, const std::string& text) {
  return isl_text(explicit_quotients(isl::set(session.isl(), text)));
}

}  // namespace

TEST_CASE("an existential without need goes", "[quotients]") {
  const Session session;
  CHECK(explicit_text(session, "[N] -> { P[l] : exists e: 0 <= l < 64 and -N + l < 64e <= l }") ==
        "[N] -> { P[l] : 0 <= l <= 63 and l < N }");
  // l < N in its 16 lanes of 4 vectors
  CHECK(explicit_text(session,
                      "[N] -> { P[l] : exists (e0, e1: 0 <= l <= 15 and 0 <= l + 16e0 <= 63 and "
                      "-N + l + 16e0 < 64e1 <= l + 16e0) }") ==
        "[N] -> { P[l] : 0 <= l <= 15 and l < N }");
}

TEST_CASE("what is quotients already comes back as it is", "[quotients]") {
  const Session session;
  for (const char* text : {"[N] -> { S[i] : 0 <= i < N }", "{ S[i] : i mod 3 = 1 }",
                           "{ S[i] : 5 * floor(i / 7) > i - 3 }", "{ S[i] : false }"}) {
    const isl::set set(session.isl(), text);
    CHECK(explicit_quotients(set).get() != nullptr);
    CHECK(isl_set_plain_is_equal(explicit_quotients(set).get(), set.get()) == isl_bool_true);
  }
}

TEST_CASE("relations keep their spaces and the names in them", "[quotients]") {
  const Session session;
  const isl::map map(session.isl(),
                     "[N] -> { S[i, l] -> P[i, l] : exists e: 0 <= l < 8 and l - N < 8e <= l }");
  CHECK(isl_text(explicit_quotients(map)) ==
        "[N] -> { S[i, l] -> P[i, l] : 0 <= l <= 7 and l < N }");
  CHECK(explicit_quotients(map).is_equal(map));
}

TEST_CASE("sets without unknown existentials have the same points", "[quotients]") {
  const Session session;
  std::mt19937 random(7);
  int with_unknown = 0, left = 0;
  for (int count = 0; count < 150; ++count) {
    const Drawn drawn(random);
    INFO(drawn.text());
    const isl::set set(session.isl(), drawn.text());
    const isl::set made = explicit_quotients(set);
    INFO(isl_text(made));
    with_unknown += size_of(set).unknown > 0;
    left += size_of(made).unknown > 0;
    CHECK(made.is_equal(set));
    for (int n = 0; n < numbers; ++n)
      for (int x = 0; x < numbers; ++x)
        if (has(made, n, x) != drawn.holds(n, x)) FAIL("at N = " << n << ", x = " << x);
  }
  CHECK(with_unknown >= 30);
  CHECK(left <= with_unknown / 10);
}

}  // namespace strata::test::quotients_test
