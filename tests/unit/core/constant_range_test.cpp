// Ranges of constant size, compared with the numbers that they are around.
#include "core/sets/constant_range.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <catch2/catch.hpp>

#include <string>

#include "core/sets/quotients.h"
#include "core/sets/session.h"
#include "reference/points.h"

namespace strata::test::constant_range_test {

namespace {

// Of [A, B] -> { [t] : condition }, and of { [A, B] -> [t] : condition }.
struct Ranges {
  isl::set set;
  isl::map map;
  std::optional<ConstantRange> of_set, of_map;

  Ranges(const Session& session, const std::string& condition)
      : set(session.isl(), "[A, B] -> { [t] : " + condition + " }"),
        map(session.isl(), "{ [A, B] -> [t] : " + condition + " }"),
        of_set(constant_range(set)),
        of_map(constant_range(map)) {}
};

void require_around(const Ranges& ranges, std::int64_t size) {
  REQUIRE(ranges.of_set);
  REQUIRE(ranges.of_map);
  CHECK(ranges.of_set->size == size);
  CHECK(ranges.of_map->size == size);
  const isl::set lower = isl::manage(isl_set_from_pw_aff(ranges.of_set->lower.copy()));
  for (std::int64_t a = -5; a < 8; ++a)
    for (std::int64_t b = -5; b < 8; ++b) {
      CAPTURE(a, b);
      const auto first = reference::points(lower, {{"A", a}, {"B", b}});
      REQUIRE(first.size() == 1);  // everywhere
      CHECK(reference::image(ranges.of_map->lower.as_map(), {a, b}, {}) == first);
      for (const auto& t : reference::points(ranges.set, {{"A", a}, {"B", b}}))
        CHECK((first[0] <= t && t[0] < first[0][0] + size));
    }
}

}  // namespace

TEST_CASE("a range of constant size begins at a bound", "[range]") {
  const Session session;
  const auto [condition, size] = GENERATE(table<std::string, int>({
      {"A <= t < A + 4 and t < B", 4},
      {"2 A - 1 <= t <= 2 A + B and 0 <= B <= 2", 4},
      {"0 <= t < 3", 3},
      {"5 A <= t < 5 A + 3 and (t + B) mod 2 = 0", 3},
  }));
  INFO(condition);
  require_around({session, condition}, size);
}

TEST_CASE("it begins at the least number where that is not a bound", "[range]") {
  const Session session;
  const auto [condition, size] = GENERATE(table<std::string, int>({
      {"(A <= t < A + 3 and B > 0) or (-A <= t < 4 - A and B <= 0)", 4},
      {"t = A and B > 2 or t = 7 - A and B < 2", 1},
      {"B > 0 and 2 A <= 3 t <= 2 A + 7 or B < 0 and t = B", 3},
      {"t mod 2 = 0 and (A <= t <= A + 2 and B > 0 or B <= t <= B + 3 and A > B)", 0},
  }));
  INFO(condition);
  const Ranges ranges(session, condition);
  CHECK_FALSE(fixed_box_around(ranges.set).is_valid());
  if (size > 0)
    require_around(ranges, size);
  else
    CHECK_FALSE(ranges.of_set);
}

TEST_CASE("there is no range around nothing, nor around numbers without bound", "[range]") {
  const Session session;
  for (const std::string condition :
       {"A < B and B < A", "0 <= t < A", "t >= A", "t <= A or t = B"}) {
    INFO(condition);
    const Ranges ranges(session, condition);
    CHECK_FALSE(ranges.of_set);
    CHECK_FALSE(ranges.of_map);
  }
}

}  // namespace strata::test::constant_range_test
