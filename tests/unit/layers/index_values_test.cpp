// The values that indices may take.
#include "layers/affine/index_values.h"

#include <catch2/catch.hpp>

#include "core/sets/session.h"

namespace strata::test::index_values_test {

namespace {

const Expr i = variable("i"), n = parameter("N");

Expr data(Type type) { return access("a", type, {i}); }

// Is { S[i] -> [v] : the index may be v } equal to "expected"?
bool may_be(const Expr& index, const std::string& expected) {
  Session session;
  const IndexValues found = index_values(index, scope_of(session.isl(), "S", {"i"}));
  UNSCOPED_INFO(found.values);
  return found.may && found.values.is_equal(isl::map(session.isl(), expected));
}

}  // namespace

TEST_CASE("affine indices are exact", "[index-values]") {
  Session session;
  const IndexValues found = index_values(i * 2 + n, scope_of(session.isl(), "S", {"i"}));
  CHECK(!found.may);
  CHECK(found.values.is_equal(isl::map(session.isl(), "[N] -> { S[i] -> [2 i + N] }")));
}

TEST_CASE("what is read may be any integer of its type", "[index-values]") {
  CHECK(may_be(data(i64), "{ S[i] -> [v] }"));
  CHECK(may_be(cast(i64, data(u8)), "{ S[i] -> [v] : 0 <= v < 256 }"));
  CHECK(may_be(cast(i64, data(i8)), "{ S[i] -> [v] : -128 <= v < 128 }"));
  CHECK(may_be(cast(i64, data(i32)), "{ S[i] -> [v] : -2147483648 <= v < 2147483648 }"));
  CHECK(may_be(cast(i64, cast(i32, data(u8))), "{ S[i] -> [v] : 0 <= v < 256 }"));
  CHECK(may_be(cast(i64, data(i64) > 0), "{ S[i] -> [v] : 0 <= v <= 1 }"));
  CHECK(may_be(cast(i64, data(f32)), "{ S[i] -> [v] }"));
}

TEST_CASE("what is affine around it is followed", "[index-values]") {
  CHECK(may_be(clamp(data(i64), 0, n - 1),
               "[N] -> { S[i] -> [v] : 0 <= v < N; "
               "S[i] -> [v] : v = N - 1 and N <= 0 }"));
  CHECK(may_be(max(data(i64), i), "{ S[i] -> [v] : v >= i }"));
  CHECK(may_be(cast(i64, data(u8)) * 2 + i,
               "{ S[i] -> [v] : exists u : v = 2 u + i and "
               "0 <= u < 256 }"));
  CHECK(may_be(data(i64) % 10, "{ S[i] -> [v] : 0 <= v < 10 }"));
  CHECK(may_be(data(i64) % n,
               "[N] -> { S[i] -> [v] : 0 <= v < N; S[i] -> [v] : N < v <= 0; "
               "S[i] -> [0] : N = 0 }"));
  CHECK(may_be(cast(i64, data(u8)) / 16, "{ S[i] -> [v] : 0 <= v < 16 }"));
  CHECK(may_be(cast(i64, min(data(i32), 7) % 8), "{ S[i] -> [v] : 0 <= v < 8 }"));
  CHECK(may_be(select(i > 3, cast(i64, data(u8)), 500),
               "{ S[i] -> [v] : i > 3 and 0 <= v < 256; S[i] -> [500] : i <= 3 }"));
  CHECK(may_be(select(data(i64) > 3, i, i + 5), "{ S[i] -> [i]; S[i] -> [i + 5] }"));
  CHECK(may_be(i * i, "{ S[i] -> [v] }"));
}

TEST_CASE("arithmetic that may wrap may be anything", "[index-values]") {
  CHECK(may_be(max(data(i64), 0) + 1, "{ S[i] -> [v] }"));
  CHECK(may_be(abs(data(i64)), "{ S[i] -> [v] }"));
  CHECK(may_be(min(data(i64) * 2, 9), "{ S[i] -> [v] : v <= 9 }"));
  CHECK(may_be(clamp(data(i64), 0, 9) + 1, "{ S[i] -> [v] : 1 <= v <= 10 }"));
  CHECK(may_be(cast(i64, data(i32) + 1), "{ S[i] -> [v] : -2147483648 <= v < 2147483648 }"));
  CHECK(may_be(cast(i64, cast(i8, data(i32))), "{ S[i] -> [v] : -128 <= v < 128 }"));
}

TEST_CASE("an index of too many pieces may be anything, and what is around it is followed",
          "[index-values]") {
  Expr nested = i;
  for (int k = 0; k < 12; ++k)
    nested = select((nested + k) % (5 + 2 * k) < 2, nested + 1, nested / 2);
  const Session session(1'000'000);
  const IteratorScope scope = scope_of(session.isl(), "S", {"i"});
  const auto values_of = [&](const Expr& index) {
    isl::map values;
    REQUIRE(session.within_budget([&] { values = index_values(index, scope).values; }));
    return values;
  };
  CHECK(values_of(nested).is_equal(isl::map(session.isl(), "{ S[i] -> [v] }")));
  CHECK(values_of(clamp(nested, 3, 9))
            .is_equal(isl::map(session.isl(), "{ S[i] -> [v] : 3 <= v <= 9 }")));
  CHECK(values_of(nested % 4 + i)
            .is_equal(isl::map(session.isl(), "{ S[i] -> [v] : i <= v < i + 4 }")));
}

}  // namespace strata::test::index_values_test
