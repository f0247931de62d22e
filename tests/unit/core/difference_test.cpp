#include "core/sets/difference.h"

#include <catch2/catch.hpp>

#include <isl/set.h>

#include <algorithm>

#include "core/sets/session.h"

namespace strata::test::difference_test {

namespace {

// Is [x, y] in the set?
bool has(const isl::set& set, int x, int y) {
  isl_set* one = isl_set_fix_si(set.copy(), isl_dim_set, 0, x);
  return !isl::manage(isl_set_fix_si(one, isl_dim_set, 1, y)).is_empty();
}

const std::string box = "{ [x, y] : -2 <= x <= 9 and -2 <= y <= 9 }",
                  box_and_more =
                      "{ [x, y] : -2 <= x <= 9 and -2 <= y <= 9; [20, y] : 0 <= y <= 3 }";

// The second sets of differences: convex, with equations and quotients, with an existential that is
// no quotient, of several pieces, empty.
const std::vector<std::string> taken_away{
    "{ [x, y] : 0 <= x <= y and 2 y <= 9 + x }",
    "{ [x, y] : x = 3 and y >= 1 }",
    "{ [x, y] : y % 3 = 1 and x >= 2 * floor(y / 4) }",
    "{ [x, y] : exists e : 3 e <= x and x + y <= 4 e }",
    "{ [x, y] : x < 2 or y > 7 }",
    "{ [x, y] : x > 3 and x < 4 }",
};

isl::val difference_in(const Session& session, const std::string& text) {
  return largest_difference(isl::set(session.isl(), text));
}

}  // namespace

TEST_CASE("without keeps exactly the points that are not in the second set", "[difference]") {
  const Session session;
  const isl::set first(session.isl(), GENERATE(box, box_and_more));
  for (const std::string& text : taken_away) {
    INFO(text);
    const isl::set second(session.isl(), text);
    const isl::set rest = without(first, second);
    for (int x = -3; x <= 21; ++x)
      for (int y = -3; y <= 10; ++y)
        CHECK(has(rest, x, y) == (has(first, x, y) && !has(second, x, y)));
  }
}

TEST_CASE("the largest difference is that of two points with one prefix", "[difference]") {
  const Session session;
  const std::string text = GENERATE("{ [x, y] : 0 <= x <= 5 and 4 x <= y < 4 x + 4 }",
                                    "{ [x, y] : 0 <= x <= 5 and 0 <= y <= x and y % 3 = 1 }",
                                    "{ [x, y] : x = 1 and y = 9; [x, y] : x = 1 and y = 2 }",
                                    "{ [x, y] : x = 1 and 0 <= y < 3; [2, y] : 5 <= y < 7 }",
                                    "{ [x, y] : x = 4 and y = 7 }");
  INFO(text);
  const isl::set set(session.isl(), text);
  long most = 0;
  for (int x = -1; x < 7; ++x)
    for (int y = -1; y < 30; ++y)
      for (int other = y; other < 30; ++other)
        if (has(set, x, y) && has(set, x, other)) most = std::max(most, long(other - y));
  CHECK(largest_difference(set).eq(isl::val(session.isl(), most)));
}

TEST_CASE("the largest difference may be infinite, and is not a number of an empty set",
          "[difference]") {
  const Session session;
  CHECK(difference_in(session, "[N] -> { [x, y] : 0 <= y < N }").is_infty());
  CHECK(difference_in(session, "{ [x, y] : y > 3 or x > 2; [x, 1] }").is_infty());
  CHECK(difference_in(session, "{ [x, y] : 0 < y < 1 }").is_nan());
}

TEST_CASE("a relation is a function if no element has two images", "[difference]") {
  const Session session;
  const auto check = [&](const std::string& text, bool expected) {
    INFO(text);
    CHECK(is_function(isl::map(session.isl(), text)) == expected);
  };
  check("{ S[i] -> b[floor(i / 3), i % 2] }", true);
  check("{ S[i] -> b[0] : i < 4; S[i] -> b[0] : i > 2 }", true);
  check("{ S[i] -> b[0] : i < 4; S[i] -> b[1] : i > 2 }", false);
  check("{ S[i] -> b[j] : 2 i <= 3 j < 2 i + 3 }", true);
  check("{ S[i] -> b[j] : 2 i <= 3 j < 2 i + 4 }", false);
  check("{ S[i] -> b[] }", true);
  check("{ S[i] -> b[i] : false }", true);
}

}  // namespace strata::test::difference_test
