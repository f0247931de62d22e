// The budget of a session.
#include <catch2/catch.hpp>

#include "core/sets/announced_work.h"
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

TEST_CASE("work beyond the budget is out of budget before it begins", "[session]") {
  const Session session(1000);
  bool began = false;
  const auto announced = [&](double operations) {
    began = false;
    return session.within_budget([&] {
      announce_work(session.isl(), operations);
      began = true;
    });
  };
  CHECK(announced(1000));
  CHECK(began);
  CHECK_FALSE(announced(1001));
  CHECK_FALSE(began);
  CHECK_NOTHROW(announce_work(session.isl(), 1e12));  // no question is in progress
}

TEST_CASE("a session is usable after it ran out of budget", "[session]") {
  const Session session(1);
  CHECK_FALSE(session.within_budget([&] { isl::set(session.isl(), "{ [i] : i > 0 }"); }));
  CHECK(isl::set(session.isl(), "{ [i] : i > 0 and i < 0 }").is_empty());
}

}  // namespace strata::test::session_test
