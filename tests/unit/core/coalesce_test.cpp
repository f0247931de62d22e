#include "core/sets/coalesce.h"

#include <catch2/catch.hpp>

#include <isl/set.h>

#include "core/sets/session.h"

namespace strata::test::coalesce_test {

namespace {

// Is [x, y] in the set?
bool has(const isl::set& set, int x, int y) {
  isl_set* one = isl_set_fix_si(set.copy(), isl_dim_set, 0, x);
  return !isl::manage(isl_set_fix_si(one, isl_dim_set, 1, y)).is_empty();
}

const std::string with_quotient =
    "{ [x, y] : (y - 1) mod 3 = 0 and 0 <= x <= 2 and y > 0; [1, y] : 0 < y <= 2 }";

bool belongs(int x, int y) {
  return (y > 0 && (y - 1) % 3 == 0 && 0 <= x && x <= 2) || (x == 1 && 0 < y && y <= 2);
}

}  // namespace

TEST_CASE("coalescing changes no element where a quotient is constant in one disjunct",
          "[coalesce]") {
  const Session session;
  const isl::set set(session.isl(), with_quotient);
  const isl::set result = coalesced(set);
  const isl::map map = coalesced(set.identity());
  for (int x = -1; x < 4; ++x)
    for (int y = -1; y < 20; ++y) {
      CHECK(has(result, x, y) == belongs(x, y));
      CHECK(has(map.range(), x, y) == belongs(x, y));
    }
}

TEST_CASE("coalescing changes no piece of a function", "[coalesce]") {
  const Session session;
  const isl::pw_aff function =
      isl::set(session.isl(), with_quotient)
          .pw_aff_on_domain(7)
          .union_add(isl::set(session.isl(), "{ [x, y] : x = 5 }").pw_aff_on_domain(8));
  const isl::set result = coalesced(function).domain();
  for (int x = -1; x < 7; ++x)
    for (int y = -1; y < 20; ++y) CHECK(has(result, x, y) == (belongs(x, y) || x == 5));
}

TEST_CASE("neighbours are coalesced", "[coalesce]") {
  const Session session;
  CHECK(
      coalesced(isl::set(session.isl(), "{ [x] : 0 <= x < 4; [x] : 4 <= x < 9 }")).n_basic_set() ==
      1);
  CHECK(
      coalesced(isl::set(session.isl(),
                         "{ [x] : 0 <= x < 9 and x mod 2 = 0; [x] : 0 <= x < 9 and x mod 2 = 1 }"))
          .n_basic_set() == 1);
}

}  // namespace strata::test::coalesce_test
