#include "layers/affine/assumption.h"

#include <catch2/catch.hpp>

#include "core/sets/session.h"

namespace strata::test::assumption_test {

namespace {

std::string assumption(const std::string& wrong, const std::string& wanted) {
  const Session session;
  return assumption_without(isl::set(session.isl(), wrong), isl::set(session.isl(), wanted),
                            {"N", "M"});
}

}  // namespace

TEST_CASE("an assumption lies above the largest wrong size", "[layers]") {
  const std::string rows = "[N] -> { S[i] : 0 <= i < N + 10 }";
  CHECK(assumption("[N] -> { S[i] : N < 0 and i >= N }", rows) == "N >= 0");
  CHECK(assumption("[N] -> { S[i] : 2 N <= 7 }", rows) == "N >= 4");
  CHECK(assumption("[N] -> { S[i] : N <= 5 or 7 <= N <= 8 }", rows) == "N >= 9");
}

TEST_CASE("an assumption of several parameters, of each the least that is needed", "[layers]") {
  const std::string all = "[N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }";
  CHECK(assumption("[N, M] -> { S[i, j] : N <= 0 or M <= 2 }", all) == "N >= 1 && M >= 3");
  CHECK(assumption("[N, M] -> { S[i, j] : N <= 4 and M <= -3 }", all) == "M >= -2");
}

TEST_CASE("what no assumption excludes, or only one that leaves nothing", "[layers]") {
  CHECK(assumption("[N] -> { S[i] : N >= 1 and i = N }", "[N] -> { S[i] : 0 <= i <= N }") == "");
  CHECK(assumption("[N] -> { S[i] : N <= -1 or i = N > 5 }", "[N] -> { S[i] : 0 <= i }") == "");
  CHECK(assumption("[N] -> { S[i] : N <= 4 }", "[N] -> { S[i] : 0 <= i < 5 - N }") == "");
}

}  // namespace strata::test::assumption_test
