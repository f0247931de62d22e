// The budget of a session.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "core/sets/session.h"

namespace strata::test::session_test {

TEST_CASE("a question is answered or out of budget, wherever it runs out", "[session]") {
  int answered = 0, out = 0;
  for (unsigned long budget = 1; budget < 20'000; budget += 13) {
    const Session session(budget);
    bool is_empty = true;
    const bool within = session.within_budget([&] {
      const isl::set thin(session.isl(),
                          "[N] -> { [i, j, k] : 1000 <= 17i + 19j - 23k <= 1003 and "
                          "5N <= 13i - 7j + 3k <= 6N and 0 <= i, j, k <= 100 }");
      is_empty = thin.coalesce().sample_point().is_null();
    });
    (within ? answered : out) += 1;
    if (within) CHECK_FALSE(is_empty);
  }
  CHECK(answered > 0);
  CHECK(out > 0);
}

TEST_CASE("a mistake within the budget is reported as it is", "[session]") {
  const Session session;
  CHECK_THROWS_AS(session.within_budget([&] { isl::set(session.isl(), "{ [i"); }), isl::exception);
}

namespace {

// { [i] -> [j] : i = n and 3 j <= i + n <= 3 j + 1 } for each n < "count"
isl::map with_disjuncts(const Session& session, int count) {
  isl::map all(session.isl(), "{ [i] -> [j] : false }");
  for (int n = 0; n < count; ++n) {
    const std::string at = std::to_string(7 * n);
    all = all.unite(isl::map(
        session.isl(), "{ [i] -> [j] : i = " + at + " and 3 j <= i + " + at + " <= 3 j + 1 }"));
  }
  return all;
}

// The least budget within which two relations with that many disjuncts are composed.
double work_of_composing(int disjuncts) {
  const Session session;
  const isl::map map = with_disjuncts(session, disjuncts), back = map.reverse();
  double too_little = 0, enough = 1e9;
  while (enough - too_little > 1) {
    const double budget = std::floor((too_little + enough) / 2);
    (session.within(budget, [&] { map.apply_range(back); }) ? enough : too_little) = budget;
  }
  return enough;
}

}  // namespace

TEST_CASE("the same question takes the same work in each session", "[session]") {
  CHECK(work_of_composing(5) == work_of_composing(5));
}

TEST_CASE("each pair of disjuncts is work", "[session]") {
  CHECK(work_of_composing(40) > 50 * work_of_composing(5));
}

// Run with STRATA_SECONDS=0.1, which is read once in a process.
TEST_CASE("a clock ends what the budget would allow", "[.clock]") {
  const Session session;
  const isl::map map = with_disjuncts(session, 20);
  CHECK_FALSE(session.within(1e15, [&] {
    for (int n = 0; n < 3000; ++n) map.apply_range(map.reverse());
  }));
}

TEST_CASE("a part of a question counts to the question", "[session]") {
  const Session session(50'000);
  const isl::map map = with_disjuncts(session, 5);
  bool part = false;
  const auto work = [&] { map.apply_range(map.reverse()); };
  int parts = 0;
  CHECK_FALSE(session.within_budget([&] {
    for (; parts < 1000; ++parts)
      if (!session.within(40'000, work)) break;
    part = session.within(1e12, work);  // no more than what is left
  }));
  CHECK(parts > 0);
  CHECK(parts < 1000);
  CHECK_FALSE(part);
}

TEST_CASE("a question inside a question has no budget of its own", "[session]") {
  const Session session(1'000'000);
  const isl::map map = with_disjuncts(session, 5);
  int inner = 0;
  CHECK_FALSE(session.within_budget([&] {
    while (inner < 10'000 && session.within_budget([&] { map.apply_range(map.reverse()); }))
      ++inner;
  }));
  CHECK(inner > 0);
  CHECK(inner < 10'000);
}

TEST_CASE("a session is usable after it ran out of budget", "[session]") {
  const Session session(1);
  CHECK_FALSE(session.within_budget([&] { isl::set(session.isl(), "{ [i] : i > 0 }"); }));
  CHECK(isl::set(session.isl(), "{ [i] : i > 0 and i < 0 }").is_empty());
}

}  // namespace strata::test::session_test
